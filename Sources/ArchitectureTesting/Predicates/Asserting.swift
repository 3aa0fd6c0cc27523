import Loop
public import Testing

/// Returns an assertion that checks the last answer with all predicates; see ``UpdateSpec``.
///
/// Each predicate that fails is recorded as an issue.
///
/// - Parameters:
///   - predicate: The first check.
///   - others: Further checks.
///   - sourceLocation: The place where issues are recorded. By default, the call of this function.
public func assertThatNext<Model, Event, Effect>(
    _ predicate: AnswerPredicate<Model, Effect>,
    _ others: AnswerPredicate<Model, Effect>...,
    sourceLocation: SourceLocation = #_sourceLocation
) -> UpdateSpec<Model, Event, Effect>.Assert {
    { result in record(([predicate] + others).map { $0.failure(of: result.lastNext) }, sourceLocation) }
}

/// Returns an assertion that checks the values that a loop starts with; see ``InitSpec``.
///
/// Each predicate that fails is recorded as an issue.
///
/// - Parameters:
///   - predicate: The first check.
///   - others: Further checks.
///   - sourceLocation: The place where issues are recorded. By default, the call of this function.
public func assertThatFirst<Model, Effect>(
    _ predicate: AnswerPredicate<Model, Effect>,
    _ others: AnswerPredicate<Model, Effect>...,
    sourceLocation: SourceLocation = #_sourceLocation
) -> InitSpec<Model, Effect>.Assert {
    { first in record(([predicate] + others).map { $0.failure(of: first) }, sourceLocation) }
}
