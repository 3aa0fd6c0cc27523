import Foundation

/// What the programs answer to the shell.
public enum ExitStatus {
    /// The work was done.
    public static let success: Int32 = 0
    /// The work failed; one line on standard error says why.
    public static let failure: Int32 = 1
    /// The program was called in a way it does not understand (`EX_USAGE` of sysexits).
    public static let usage: Int32 = 64
    /// A person pressed Ctrl-C.
    public static let interrupted: Int32 = 130
}

extension Console {
    /// Says why the program failed, in one line on standard error, and ends it. The terminal is as it was before.
    public func exit(_ reason: String, status: Int32 = ExitStatus.failure) -> Never {
        failure(reason)
        Foundation.exit(status)
    }
}
