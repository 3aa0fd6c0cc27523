public import Loop

/// Says what a loop should start from: when this model was left, then that.
///
/// ```swift
/// InitSpec(initiate)
///     .when(Model(isLoading: true))
///     .then(assertThatFirst(hasModel(Model(isLoading: false)), hasNoEffects()))
/// ```
///
/// Nothing runs but the function, on the caller's thread. After MobiusTest's type of this name.
public struct InitSpec<Model, Effect> {
    private let initiate: Initiate<Model, Effect>

    /// What is said of what a loop starts from.
    public typealias Assert = (First<Model, Effect>) -> Void

    /// A specification of `initiate`.
    public init(_ initiate: @escaping Initiate<Model, Effect>) {
        self.initiate = initiate
    }

    /// The model that was left.
    public func when(_ model: Model) -> When {
        When(first: initiate(model))
    }

    /// A loop that is about to start.
    public struct When {
        /// What it starts from.
        public let first: First<Model, Effect>

        /// Has `assert` look at what the loop starts from. May be said several times.
        @discardableResult
        public func then(_ assert: Assert) -> When {
            assert(first)
            return self
        }
    }
}
