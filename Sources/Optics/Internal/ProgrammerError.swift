/// Stops the process because the program itself is wrong. The message survives release builds, unlike a precondition's.
@usableFromInline
func programmerError(_ problem: String, toFix remedy: String) -> Never {
    fatalError("\(problem) To fix, \(remedy)")
}
