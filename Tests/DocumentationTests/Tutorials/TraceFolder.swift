import ArchitectureTracing
import Foundation

/// The folder in which the program of a tutorial writes its trace. It is removed when nothing refers to it.
final class TraceFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// The records of a file.
    func records(of name: String) throws -> [TraceRecord] {
        try JSONLines(decoding: Data(contentsOf: file(name))).records
    }
}
