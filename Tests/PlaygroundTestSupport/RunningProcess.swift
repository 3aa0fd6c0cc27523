import Foundation

/// A child process to which a test sends input and signals, and whose output it reads.
///
/// The type neither polls nor sleeps: `wait(until:)` returns with the output that satisfies its condition. The child is
/// killed when its `RunningProcess` is deallocated or when the task that waits for it is cancelled, as by a time limit.
/// Therefore no test hangs or leaves a process behind.
///
/// Foundation's `Process` does not set the signal mask and dispositions of the child. A child that was started from a
/// thread that blocks `SIGINT` could not be interrupted.
public final class RunningProcess: Sendable {
    /// The output of a process so far, and its exit status.
    public struct Report: Sendable {
        public internal(set) var outputBytes: [UInt8] = []
        public internal(set) var errorBytes: [UInt8] = []
        /// The exit status, or 128 plus the number of the signal that ended the process, or `nil` while the process
        /// runs.
        public internal(set) var status: Int32?

        var openPipes = 2

        public var output: String { String(decoding: outputBytes, as: UTF8.self) }
        public var error: String { String(decoding: errorBytes, as: UTF8.self) }
        /// The lines of the output without their line breaks, including an incomplete last line.
        public var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast(
                output.hasSuffix("\n") || output.isEmpty ? 1 : 0)
        }
        /// Whether the process has exited and all of its output has been read.
        public var isEnded: Bool { status != nil && openPipes == 0 }
    }

    /// A process could not be started.
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    private let shared: SharedReport
    private let input: FileHandle

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - executable: The path or the name of the program.
    ///   - environment: Variables in addition to the environment of this process.
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

    /// The process identifier.
    public var identifier: Int32 { shared.identifier }

    /// Writes to the standard input of the process. Blocks while the pipe is full.
    public func send(_ text: String) {
        // `wait` notices the end of the child, so a failed write needs no signal.
        signal(SIGPIPE, SIG_IGN)
        try? input.write(contentsOf: Data(text.utf8))
    }

    /// Closes the standard input of the process.
    public func closeInput() {
        try? input.close()
    }

    /// Sends a signal to the process unless it has ended.
    public func signal(_ number: Int32) {
        shared.signal(number)
    }

    private func signal(_ number: Int32, _ disposition: sig_t?) {
        _ = Foundation.signal(number, disposition)
    }

    /// Waits until the report satisfies the condition or the process has ended, and returns the report.
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

    /// Waits for the first line of output that satisfies the condition. Returns `nil` if the process ends without one.
    public func line(where condition: @escaping @Sendable (String) -> Bool) async -> String? {
        await wait { $0.completeLines.contains(where: condition) }.completeLines.first(where: condition)
    }

    /// Starts a program, writes `input` to its standard input, and waits for its end.
    public static func run(
        _ executable: String, _ arguments: [String] = [], input: String = "", environment: [String: String] = [:]
    ) async throws -> Report {
        let process = try RunningProcess(executable, arguments, environment: environment)
        // On another thread, because the child may write output before it has read all of the input.
        Thread.detachNewThread {
            process.send(input)
            process.closeInput()
        }
        return await process.wait()
    }
}

extension RunningProcess.Report {
    /// The lines whose line break has been read.
    public var completeLines: [String] {
        output.hasSuffix("\n") ? lines : lines.dropLast()
    }

    /// The peak memory in bytes that the child reported, if it ran with `REPORT_PEAK_MEMORY=1`.
    public var peakMemory: Int? {
        error.split(separator: "\n").last { $0.hasPrefix("peak memory: ") }
            .flatMap { Int($0.split(separator: " ")[2]) }
    }
}
