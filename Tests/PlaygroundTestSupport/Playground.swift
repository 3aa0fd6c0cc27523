/// A program of this package that a test runs.
public struct Playground: Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    /// The path of the program.
    public var path: String { Executables.path(name) }

    /// Runs the program with an input, under pipes, and waits for its end.
    public func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> RunningProcess.Report {
        try await RunningProcess.run(path, arguments, input: input, environment: environment)
    }

    /// Starts the program on a terminal of its own, which shows both its output and its error. Needs python3.
    public func startOnTerminal(_ arguments: String...) throws -> RunningProcess {
        try Self.startOnTerminal([path] + arguments)
    }

    /// Starts the program on a terminal of its own with this number of columns. Needs python3 and stty.
    public func startOnTerminal(columns: Int, _ arguments: String...) throws -> RunningProcess {
        let script = #"stty cols "$0" rows 24; exec "$@""#
        return try Self.startOnTerminal(["sh", "-c", script, "\(columns)", path] + arguments)
    }

    /// Starts a shell with job control on a terminal of its own. Needs python3.
    public static func startShellOnTerminal() throws -> RunningProcess {
        try startOnTerminal(["sh", "-i"])
    }

    private static func startOnTerminal(_ command: [String]) throws -> RunningProcess {
        let script = "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        return try RunningProcess("python3", ["-c", script] + command)
    }

    /// Starts the program with a reader of its output that reads one line, closes the pipe and prints `closed`. When
    /// the program has ended, `status N` is written to standard error.
    public func startWithFickleReader(_ arguments: [String]) throws -> RunningProcess {
        let script = #"{ "$0" "$@"; echo "status $?" >&2; } | { read line; exec <&-; echo closed; }"#
        return try RunningProcess("sh", ["-c", script, path] + arguments)
    }
}
