import Foundation
import Testing

/// Searches the sources of the test products for code that waits in real time.
@Suite(.timeLimit(.minutes(10))) struct SourceTests {
    @Test(arguments: ["VirtualTime", "PropertyTesting", "FunctionalLaws", "DispatcherLaws", "ArchitectureTesting"])
    func `no test product sleeps or polls`(product: String) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(product)")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(!files.isEmpty)
        var waits = ["Task.sleep", "usleep", "nanosleep", "Thread.sleep", "emaphore", "ContinuousClock", ".continuous"]
        // The programs that the laws run yield a number of times.
        if !product.hasSuffix("Laws") { waits.append("Task.yield") }
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for line in lines where waits.contains(where: line.contains) && !line.contains("///") {
                Issue.record("\(file.lastPathComponent): \(line)")
            }
        }
    }
}
