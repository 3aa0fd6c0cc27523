public import Loop

/// What a test asks of an update's answer, and of what a loop starts from.
///
/// ```swift
/// let isSorted = AnswerPredicate<[Int], Never> { numbers, _ in
///     numbers.map { $0 == $0.sorted() } == false ? "isSorted: the numbers are not in order" : nil
/// }
/// ```
///
/// It looks at values, and returns one: ``assertThatNext(_:_:sourceLocation:)`` makes an issue of it.
public struct AnswerPredicate<Model, Effect> {
    private let failure: (_ model: Model?, _ effects: [Effect]) -> String?

    /// A predicate that `failure` decides about: it says what is wrong, or `nil` where nothing is.
    public init(_ failure: @escaping (_ model: Model?, _ effects: [Effect]) -> String?) {
        self.failure = failure
    }

    /// What is wrong with an answer; `nil` where nothing is.
    public func failure(of next: Next<Model, Effect>) -> String? {
        failure(next.model, next.effects)
    }

    /// What is wrong with what a loop starts from; `nil` where nothing is.
    public func failure(of first: First<Model, Effect>) -> String? {
        failure(first.model, first.effects)
    }
}
