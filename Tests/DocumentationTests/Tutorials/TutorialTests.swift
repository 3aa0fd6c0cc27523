import Foundation
import Testing

/// Compares the code of the tutorials with the sources that this target compiles and tests.
///
/// `UPDATE_TUTORIALS=1 swift test --filter TutorialTests` writes it.
@Suite("The code of the tutorials", .timeLimit(.minutes(10)))
struct TutorialTests {
    static let folder = "Sources/FunctionalArchitecture/Documentation.docc/Tutorials"

    @Test("Each step shows code that is compiled and tested", arguments: ["Dispatcher", "Loop", "Effects"])
    func steps(_ name: String) throws {
        let source = TutorialSource(
            try PackageFolder.text(of: "Tests/DocumentationTests/Tutorials/\(name)Tutorial.swift"))
        #expect(source.errors == [])
        #expect(source.stepCount == 5)
        let tutorial = try PackageFolder.text(of: "\(Self.folder)/\(name)Tutorial.tutorial")
        var expected: Set<String> = []
        for match in tutorial.matches(of: #/@Code\(name: "([^"]+)", file: "([^"]+)"\)/#) {
            let (file, resource) = (String(match.1), String(match.2))
            let step = try #require(resource.firstMatch(of: #/-([0-9])-/#).flatMap { Int($0.1) }, "\(resource)")
            #expect(resource == "\(name)-\(step)-\(file)")
            let text = try #require(source.files(at: step)[file], "There is no \(file) at step \(step).")
            let url = PackageFolder.url.appending(path: "\(Self.folder)/\(resource)")
            if ProcessInfo.processInfo.environment["UPDATE_TUTORIALS"] != nil {
                try text.write(to: url, atomically: true, encoding: .utf8)
            }
            #expect(
                try String(contentsOf: url, encoding: .utf8) == text,
                "\(resource) differs. To fix, run UPDATE_TUTORIALS=1 swift test --filter TutorialTests.")
            expected.insert(resource)
        }
        let present = try FileManager.default.contentsOfDirectory(
            atPath: PackageFolder.url.appending(path: Self.folder).path)
        #expect(Set(present.filter { $0.hasPrefix("\(name)-") }) == expected)
        // Each step has a test.
        for step in 1...5 {
            #expect(expected.contains { $0.hasPrefix("\(name)-\(step)-") && $0.hasSuffix("Tests.swift") })
        }
    }

    @Test func `parts are shown from their step on, without indentation`() {
        let source = TutorialSource(
            """
            struct Hidden {
                //@file A.swift
                //@show import B

                let a = 1
                //@from 2

                let b = 2
                //@endfrom
                //@endfile
            }
            """)
        #expect(source.errors == [])
        #expect(source.files(at: 1) == ["A.swift": "import B\n\nlet a = 1\n"])
        #expect(source.files(at: 2) == ["A.swift": "import B\n\nlet a = 1\n\nlet b = 2\n"])
    }

    @Test func `an unknown marker and a part without an end are errors`() {
        let source = TutorialSource("//@file A.swift\n//@frm 2\n//@from x\n")
        #expect(source.errors == ["line 2: //@frm 2", "line 3: //@from x", "The last file or part has no end."])
    }
}
