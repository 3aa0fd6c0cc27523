public import Loop

/// A check of an update's answer, or of the values that a loop starts with.
///
/// ```swift
/// let isSorted = AnswerPredicate<[Int], Never> { numbers, _ in
///     numbers.map { $0 == $0.sorted() } == false ? "isSorted: the numbers are not in order" : nil
/// }
/// ```
///
/// A predicate returns a message if its check fails. It records no issue. ``assertThatNext(_:_:sourceLocation:)`` and
/// ``assertThatFirst(_:_:sourceLocation:)`` record the message as an issue.
public struct AnswerPredicate<Model, Effect> {
    private let failure: (_ model: Model?, _ effects: [Effect]) -> String?

    /// Creates a predicate from a closure that returns a message if the check fails, and `nil` if it succeeds.
    ///
    /// - Parameter failure: The check of the model and the effects of an answer. The model is `nil` if the answer has
    ///   none.
    public init(_ failure: @escaping (_ model: Model?, _ effects: [Effect]) -> String?) {
        self.failure = failure
    }

    /// Returns a message if the check of an answer fails, and `nil` if it succeeds.
    public func failure(of next: Next<Model, Effect>) -> String? {
        failure(next.model, next.effects)
    }

    /// Returns a message if the check fails for the model and the effects of `first`, and `nil` if it succeeds.
    public func failure(of first: First<Model, Effect>) -> String? {
        failure(first.model, first.effects)
    }
}
