/// Stops the process: the program itself is wrong. The message names the type and the value, and ends in the remedy.
///
/// `fatalError`, because the text of a failed `precondition` is gone in a release build.
@inline(never)
@usableFromInline
package func fault(_ message: String) -> Never {
    fatalError(message)
}
