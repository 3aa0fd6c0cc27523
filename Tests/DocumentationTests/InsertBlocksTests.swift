import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

@Suite("Blocks of the documentation in templates", .promptly, .timeLimit(.minutes(10)))
struct InsertBlocksTests {
    @Test func `a line without one block, a block without a line, and another fence are errors`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, template) = (folder.appending(path: "Page.md"), folder.appending(path: "File.swift"))
        let pageText = """
            ```swift
            import A

            let a = 1
                + 2
            ```
            ```swift
            let b = 3
            ```
            ```swift
            import B
            ```
            ```text
            let c = 4
            ```
            - An item:
              ```swift
              let d = 5
              ```
            ```swift\(" ")
            let e = 6
            ```
            1. ~~~Swift
               let f = 7
               ~~~

            """
        try pageText.write(to: page, atomically: true, encoding: .utf8)
        try "  //@block Page let a = 1 + 2\nf()\n//@block Page let\n"
            .write(to: template, atomically: true, encoding: .utf8)

        let report = try await Playground("InsertBlocks").run(folder.path, page.path, "--", template.path)

        #expect(
            report.lines == [17, 20, 23].map {
                "\(page.path):\($0): error: The tests do not compile this block. To fix, write \"```swift\" alone in its "
                    + "line, without indentation."
            } + [
                "\(template.path):3: error: 2 blocks of Page begin with \"let\". To fix, write more of one, or change it if "
                    + "another begins with all of it.",
                "\(page.path):8: error: No template contains this block. To fix, write in one: "
                    + "//@block Page let b = 3",
            ])
        #expect(report.status == 1)
        let generated = try String(contentsOf: folder.appending(path: "GeneratedFile.swift"), encoding: .utf8)
        #expect(
            generated == """
                #sourceLocation(file: "\(template.path)", line: 1)
                #sourceLocation(file: "\(page.path)", line: 4)
                let a = 1
                    + 2
                #sourceLocation(file: "\(template.path)", line: 2)
                f()

                """)
    }

    @Test func `a block that repeats another one needs no line, wherever its lines are broken`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (page, other) = (folder.appending(path: "Page.md"), folder.appending(path: "Other.md"))
        let template = folder.appending(path: "File.swift")
        let block = "```swift\nlet a = Set<\n    Int\n>(\n    [1])\n```\n"
        try block.write(to: page, atomically: true, encoding: .utf8)
        try block.write(to: other, atomically: true, encoding: .utf8)
        try "//@block Page let a = Set<Int>([1\n".write(to: template, atomically: true, encoding: .utf8)

        let report = try await Playground("InsertBlocks").run(folder.path, page.path, other.path, "--", template.path)

        #expect(report.lines == [])
        #expect(report.status == 0)
    }
}
