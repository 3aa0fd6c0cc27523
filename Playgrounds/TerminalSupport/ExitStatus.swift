import Foundation

/// The exit statuses of the programs.
public enum ExitStatus {
    /// The work was done.
    public static let success: Int32 = 0
    /// The work failed. A line on standard error gives the reason.
    public static let failure: Int32 = 1
    /// The command line was not understood (`EX_USAGE` of sysexits).
    public static let usage: Int32 = 64
    /// A person pressed Ctrl-C.
    public static let interrupted: Int32 = 130
}

extension Console {
    /// Writes the reason for a failure to standard error, in one line, and ends the program. Restores the terminal.
    public func exit(_ reason: String, status: Int32 = ExitStatus.failure) -> Never {
        failure(reason)
        Foundation.exit(status)
    }
}
