/// Checks of the library's assumptions about the compiler and the operating system. Each check runs once in a process.
package enum SelfCheck {
    /// Whether every check fails. Tests of the fallbacks set this property before the first check, in a separate
    /// process.
    @TaskLocal package static var isFailing = false

    /// Returns whether the check passes.
    ///
    /// - Parameter fallback: A report for a failed check, which describes what the library does instead. If it is
    ///   `nil`, a failed check is not reported.
    package static func passes(_ check: () -> Bool, otherwise fallback: String? = nil) -> Bool {
        if !isFailing, check() { return true }
        if let fallback { report(fallback) }
        return false
    }
}
