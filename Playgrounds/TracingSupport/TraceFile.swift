import ArchitectureTracing
import Foundation
package import FunctionalCore
package import TerminalSupport

/// The file of the option `--trace`.
package struct TraceFile: Sendable {
    package static let usage = "[--trace FILE]"
    package static let option = Program.Option.value(
        "--trace", "FILE",
        "writes what happens: JSON lines to a FILE.jsonl, or a trace for ui.perfetto.dev to a FILE.json")
    package static let force = Program.Option.flag("--force", "replaces the FILE of --trace if it exists")

    /// The trace that records what happens.
    package let trace: Trace
    private let write: @Sendable () throws -> Void

    /// Creates the file that the arguments name, or returns `nil` if they name none.
    package init?(_ arguments: Arguments, of program: Program) throws(UsageError) {
        guard let path = arguments.value("--trace") else { return nil }
        let url = URL(filePath: path)
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw program.error("the trace cannot be written to \(path.quoted), which is not a regular file")
            }
            guard arguments.contains("--force") else {
                throw program.error("\(path.quoted) exists; to replace it, add --force")
            }
        }
        do {
            switch url.pathExtension {
            case "jsonl":
                // Immediately, because a second Ctrl-C ends the process at once.
                let file = try JSONLinesFile(at: url, writing: .immediately)
                trace = Trace(to: file)
                write = { file.close() }
            case "json":
                let events = TraceBuffer(capacity: 100_000)
                trace = Trace(to: events)
                write = { try ChromeTrace(events.all).write(to: url) }
                try write()
            default:
                throw program.error("the name of the trace must end in .jsonl or .json, not \(path.quoted)")
            }
        } catch let error as UsageError {
            throw error
        } catch {
            throw program.error("the trace cannot be written to \(path.quoted): \(error.localizedDescription)")
        }
    }

    /// Writes the events that are not in the file yet.
    package func finish(on console: Console = .standard) {
        do {
            try write()
        } catch {
            console.failure("The trace cannot be written: \(error.localizedDescription)")
        }
    }

    /// Returns a handler of Ctrl-C that finishes the file and ends the program. For programs that do nothing else when
    /// they are interrupted.
    package func finishingOnInterrupt(on console: Console = .standard) -> InterruptHandler {
        InterruptHandler { [self] in
            console.clearStatus()
            finish(on: console)
            exit(ExitStatus.interrupted)
        }
    }
}
