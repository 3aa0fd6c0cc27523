import Foundation
import Testing

/// Each `swift` block of the README and of the articles stands literally in this folder, where it is compiled.
@Suite("Documentation", .timeLimit(.minutes(10)))
struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [String] = {
        let sources = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path())
        let articles = sources?.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") } ?? []
        return ["README.md"] + articles.sorted().map { "Sources/\($0)" }
    }()

    @Test(arguments: pages)
    func everyCodeBlockIsCompiled(_ page: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let compiled = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix("Examples.swift") }
            .map { Self.normalized(try String(contentsOf: $0, encoding: .utf8)) }
        for block in text.components(separatedBy: "```swift\n").dropFirst() {
            let code = Self.normalized(block.components(separatedBy: "\n```")[0])
            #expect(compiled.contains { $0.contains(code) }, "Not compiled anywhere:\n\(code)")
        }
    }

    @Test func thereAreArticles() {
        #expect(Self.pages.count > 5)
    }

    /// Returns the code without indentation, empty lines and imports, which depend on where the code stands.
    private static func normalized(_ code: String) -> String {
        code.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
            .joined(separator: "\n")
    }
}
