import Foundation

/// A child process that a test talks to: it is fed, watched, and interrupted when it has said something.
///
/// Nothing here polls or sleeps: `wait(until:)` goes on with the output that makes it true. A child that outlives its
/// `RunningProcess`, or the test task that waits for it (a time limit), is killed, so that no test hangs and none
/// leaves a process behind.
///
/// Not Foundation's `Process`: that gives no signal mask or disposition of its own to the child, so that one started
/// from a thread that blocks `SIGINT` could not be interrupted.
public final class RunningProcess: Sendable {
    /// What a process has said so far, and how it ended.
    public struct Report: Sendable {
        public internal(set) var outputBytes: [UInt8] = []
        public internal(set) var errorBytes: [UInt8] = []
        /// The exit status, or 128 and the number of the signal that ended it; nil while it runs.
        public internal(set) var status: Int32?

        var openPipes = 2

        public var output: String { String(decoding: outputBytes, as: UTF8.self) }
        public var error: String { String(decoding: errorBytes, as: UTF8.self) }
        /// The lines of the output, without their breaks; a last one that has not ended yet is among them.
        public var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast(
                output.hasSuffix("\n") || output.isEmpty ? 1 : 0)
        }
        /// Whether it has exited and everything it said has been read.
        public var isEnded: Bool { status != nil && openPipes == 0 }
    }

    /// It could not be started.
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    private let shared: SharedReport
    private let input: FileHandle

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - environment: what is set in addition to this process's own environment.
    public init(_ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (identifier, input, output, error) = try spawning.withLock {
            let pipes = try (ClosingPipe(), ClosingPipe(), ClosingPipe())
            let identifier = try spawn(
                executable, arguments, variables.map { "\($0)=\($1)" },
                descriptors: [pipes.0.reading, pipes.1.writing, pipes.2.writing])
            return (identifier, pipes.0, pipes.1, pipes.2)
        }
        for descriptor in [input.reading, output.writing, error.writing] { close(descriptor) }
        self.input = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
        let shared = SharedReport(identifier: identifier)
        self.shared = shared
        Thread.detachNewThread { shared.collect(from: output.reading, into: \.outputBytes) }
        Thread.detachNewThread { shared.collect(from: error.reading, into: \.errorBytes) }
        Thread.detachNewThread { shared.waitForExit() }
    }

    deinit {
        shared.signal(SIGKILL)
    }

    /// The process's number.
    public var identifier: Int32 { shared.identifier }

    /// Writes to its standard input. Blocks when the child does not read and the pipe is full.
    public func send(_ text: String) {
        // A child that has gone is seen by `wait`.
        signal(SIGPIPE, SIG_IGN)
        try? input.write(contentsOf: Data(text.utf8))
    }

    /// Ends its standard input.
    public func closeInput() {
        try? input.close()
    }

    /// Sends it a signal, unless it has ended.
    public func signal(_ number: Int32) {
        shared.signal(number)
    }

    private func signal(_ number: Int32, _ disposition: sig_t?) {
        _ = Foundation.signal(number, disposition)
    }

    /// Waits until the report satisfies the condition or the process has ended; answers the report then.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (Report) -> Bool = { _ in false }) async -> Report {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                shared.wait(SharedReport.Waiter(condition: condition, continuation: continuation))
            }
        } onCancel: {
            shared.signal(SIGKILL)
        }
    }

    /// Waits for the first line of output that satisfies the condition; nil when the process ends without one.
    public func line(where condition: @escaping @Sendable (String) -> Bool) async -> String? {
        await wait { $0.completeLines.contains(where: condition) }.completeLines.first(where: condition)
    }

    /// Starts a program, feeds it all of `input`, and waits for its end.
    public static func run(
        _ executable: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
    ) async throws -> Report {
        let process = try RunningProcess(executable, arguments, environment: environment)
        // On a thread, as a child may answer before it has read everything.
        Thread.detachNewThread {
            process.send(input)
            process.closeInput()
        }
        return await process.wait()
    }
}

extension RunningProcess.Report {
    /// The lines whose break has been seen.
    public var completeLines: [String] {
        output.hasSuffix("\n") ? lines : lines.dropLast()
    }

    /// What the child said of its memory when it was run with `REPORT_PEAK_MEMORY=1`, in bytes.
    public var peakMemory: Int? {
        error.split(separator: "\n").last { $0.hasPrefix("peak memory: ") }
            .flatMap { Int($0.split(separator: " ")[2]) }
    }
}
