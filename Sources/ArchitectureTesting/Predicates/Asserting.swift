import Loop
public import Testing

/// Asks all of these of the last answer; see ``UpdateSpec``. Each that fails is an issue, reported where this was
/// called.
///
/// - Parameters:
///   - predicate: What is asked.
///   - others: What else is asked.
///   - sourceLocation: Where failures are reported: at the call.
public func assertThatNext<Model, Event, Effect>(
    _ predicate: AnswerPredicate<Model, Effect>,
    _ others: AnswerPredicate<Model, Effect>...,
    sourceLocation: SourceLocation = #_sourceLocation
) -> UpdateSpec<Model, Event, Effect>.Assert {
    { result in record(([predicate] + others).map { $0.failure(of: result.lastNext) }, sourceLocation) }
}

/// Asks all of these of what a loop starts from; see ``InitSpec``. Each that fails is an issue, reported where this was
/// called.
///
/// - Parameters:
///   - predicate: What is asked.
///   - others: What else is asked.
///   - sourceLocation: Where failures are reported: at the call.
public func assertThatFirst<Model, Effect>(
    _ predicate: AnswerPredicate<Model, Effect>,
    _ others: AnswerPredicate<Model, Effect>...,
    sourceLocation: SourceLocation = #_sourceLocation
) -> InitSpec<Model, Effect>.Assert {
    { first in record(([predicate] + others).map { $0.failure(of: first) }, sourceLocation) }
}
