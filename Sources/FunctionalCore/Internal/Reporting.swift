/// Traps because of a programmer error. The message names the type and the value, and ends with the remedy.
///
/// A caller that knows the place in the user's code passes it, and the message begins with it.
///
/// Calls `fatalError`, because a release build drops the message of a failed `precondition`.
@inline(never)
@usableFromInline
package func programmerError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}

/// Writes one line to standard error, about a failure that no other code handles.
@inline(never)
package func report(_ message: String) {
    if Reporting.isSilent { return }
    writeToStandardError(message + "\n")
}

package enum Reporting {
    /// Whether reports of the current task are dropped. Tests of generated programs, which fail on purpose, set it.
    @TaskLocal package static var isSilent = false
}
