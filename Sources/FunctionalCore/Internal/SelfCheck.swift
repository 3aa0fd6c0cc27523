/// Checks of what the library assumes about the compiler and the operating system. Each runs once in a process.
package enum SelfCheck {
    /// Whether every check fails. Tests of the fallbacks set it before the first use, in a process of their own.
    @TaskLocal package static var isFailing = false

    /// Returns whether the check passes.
    ///
    /// - Parameter fallback: What the library does if the check fails, which is reported, or `nil`.
    package static func passes(_ check: () -> Bool, otherwise fallback: String? = nil) -> Bool {
        if !isFailing, check() { return true }
        if let fallback { report(fallback) }
        return false
    }
}
