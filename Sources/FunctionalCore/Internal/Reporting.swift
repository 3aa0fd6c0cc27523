/// Traps with `message`, which states the programmer error and, if there is one, the remedy.
///
/// `file` and `line` precede the message. A caller that knows the place in the user's code passes it.
///
/// Calls `fatalError`, because a release build drops the message of a failed `precondition`.
@inline(never)
@usableFromInline
package func programmerError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}

/// Traps with `message`, unless a law is being checked; see ``Reporting/recoveredErrors``.
@inline(never)
package func recoverableError(_ message: String) {
    guard let errors = Reporting.recoveredErrors else { programmerError(message) }
    errors.withLock { $0.append(message) }
}

/// Traps unless `count` is in `range`. The message begins with `subject`, which names the call and the argument.
@usableFromInline
package func checkCount(_ count: Int, in range: ClosedRange<Int> = 0...(.max), of subject: @autoclosure () -> String) {
    if range.contains(count) { return }
    let bounds = range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    programmerError("\(subject()) received \(count). To fix, pass \(bounds).")
}

/// Writes `message` and a line break to standard error, unless `Reporting.isSilent`.
@inline(never)
package func report(_ message: String) {
    if Reporting.isSilent { return }
    writeToStandardError(message + "\n")
}

package enum Reporting {
    /// Receives programmer errors after which the code can continue, while a law is checked. They then do not trap, so
    /// that the law can report them.
    @TaskLocal package static var recoveredErrors: Locked<[String]>?

    /// Whether reports of the current task are dropped. Tests of generated programs that fail on purpose set this
    /// property.
    @TaskLocal package static var isSilent = false
}
