import FunctionalCore

/// The in-place update of an optic, which calls the closure with each part of the whole.
@usableFromInline
typealias InPlaceUpdate<Whole, Part> = @Sendable (inout Whole, (inout Part) -> Void) -> Void

/// Runs `update`, and returns or throws the result of `change`. Returns `nil` if `update` does not call its closure.
/// Traps if `update` calls the closure twice.
///
/// An optic stores `update`, so the type of `update` cannot be generic in the result and the error. This function adds
/// both.
@inlinable
func runInPlace<Whole, Part, Output, Failure: Error>(
    _ update: @escaping InPlaceUpdate<Whole, Part>,
    _ whole: inout Whole,
    _ change: (inout Part) throws(Failure) -> Output
) throws(Failure) -> Output? {
    var outcome: Result<Output, Failure>?
    update(&whole) { part in
        if outcome != nil { partPassedTwice(Whole.self, Part.self) }
        do throws(Failure) {
            outcome = .success(try change(&part))
        } catch {
            outcome = .failure(error)
        }
    }
    switch outcome {
    case .success(let output): return output
    case .failure(let error): throw error
    case nil: return nil
    }
}

@usableFromInline
func partPassedTwice(_ whole: Any.Type, _ part: Any.Type) {
    recoverableError(
        """
        The in-place closure of an optic from \(whole) to \(part) called the closure it receives more than once. \
        To fix, call it once, or use a Traversal, which has many parts.
        """
    )
}

/// Traps. If a law is being checked, returns the result for a copy of the part instead.
@usableFromInline
func partNeverPassed<Whole, Part, Output, Failure: Error>(
    _ lens: Lens<Whole, Part>, _ whole: Whole, _ change: (inout Part) throws(Failure) -> Output
) throws(Failure) -> Output {
    recoverableError(
        """
        The in-place closure of a lens from \(Whole.self) to \(Part.self) returned without calling the closure it \
        receives. To fix, call it exactly once, or use an Affine if the part may be absent.
        """
    )
    var part = lens.get(whole)
    return try change(&part)
}
