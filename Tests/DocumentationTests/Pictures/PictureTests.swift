import Foundation
import Testing

/// Compares the pictures of the documentation with what the library does.
///
/// `UPDATE_PICTURES=1 swift test --filter PictureTests` writes them.
@Suite("The pictures of the documentation", .timeLimit(.minutes(10)))
struct PictureTests {
    struct Picture: Sendable, CustomTestStringConvertible {
        /// The file without `.svg`, relative to the folder of the package.
        let file: String
        let draw: @Sendable () -> Sketch

        init(file: String, draw: @escaping @Sendable () -> Sketch) {
            self.file = file
            self.draw = draw
        }

        var testDescription: String { file }
    }

    static let pictures: [Picture] = {
        let start = "Sources/FunctionalArchitecture/Documentation.docc/"
        let home = "Documentation/Home.docc/"
        let diagrams: [Picture] = [
            Picture(file: "\(start)send") { Diagrams.send() },
            Picture(file: "\(home)send") { Diagrams.send() },
            Picture(file: "\(start)order") { Diagrams.order() },
            Picture(file: "\(start)house") { Diagrams.house() },
            Picture(file: "\(start)trace") { TracePicture.drawing() },
            Picture(file: "Sources/Loop/Documentation.docc/round") { Diagrams.round() },
            Picture(file: "Sources/Effects/Documentation.docc/answer") { Diagrams.answer() },
        ]
        let doors = ["dispatcher", "loop", "effects"].flatMap { name in
            ["\(home)door-\(name)", "\(start)door-\(name)"].map { file in Picture(file: file) { Diagrams.door(name) } }
        }
        let policies = PolicyPictures.examples.map { example in
            Picture(file: "Sources/Dispatcher/Documentation.docc/policy-\(example.name)") {
                PolicyPictures.drawing(of: example)
            }
        }
        let operators = OperatorPictures.examples.map { example in
            Picture(file: "Sources/Effects/Documentation.docc/marbles-\(example.name)") {
                OperatorPictures.drawing(of: example)
            }
        }
        return diagrams + doors + policies + operators
    }()

    @Test("Each picture shows what the library does", arguments: pictures)
    func picture(_ picture: Picture) throws {
        let drawing = picture.draw()
        for (suffix, isDark) in [("", false), ("~dark", true)] {
            let file = PackageFolder.url.appending(path: "\(picture.file)\(suffix).svg")
            let svg = drawing.svg(isDark: isDark)
            if ProcessInfo.processInfo.environment["UPDATE_PICTURES"] != nil {
                try svg.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(
                try String(contentsOf: file, encoding: .utf8) == svg,
                "\(file.lastPathComponent) differs. To fix, run UPDATE_PICTURES=1 swift test --filter PictureTests.")
        }
    }

    @Test func `each picture is described where it is shown`() throws {
        // A picture without alternative text is invisible to those who listen to a page.
        let folder = PackageFolder.url.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in paths where path.hasSuffix(".md") {
            let text = try PackageFolder.text(of: "Sources/\(path)")
            #expect(!text.contains("![]("), "\(path) has a picture without a description.")
        }
    }
}
