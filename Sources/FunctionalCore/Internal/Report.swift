/// Writes one line to standard error: a failure that nobody handles is not swallowed.
@inline(never)
package func report(_ message: String) {
    if Reporting.isSilent { return }
    writeToStandardError(message + "\n")
}

package enum Reporting {
    /// Whether the current task writes nothing: for generated programs, which fail on purpose, thousands of times.
    @TaskLocal package static var isSilent = false
}
