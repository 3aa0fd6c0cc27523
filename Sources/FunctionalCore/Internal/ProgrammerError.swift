/// Stops the process because the program itself is wrong. The message names the type and the value, and ends in the remedy.
///
/// Where it can, a caller passes the place in the user's code, which the message then begins with.
///
/// `fatalError`, because the text of a failed `precondition` is gone in a release build.
@inline(never)
@usableFromInline
package func programmerError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}
