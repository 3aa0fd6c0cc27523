public import Loop

/// A test driver for the function that determines what a loop starts with.
///
/// ```swift
/// InitSpec(initiate)
///     .when(Model(isLoading: true))
///     .then(assertThatFirst(hasModel(Model(isLoading: false)), hasNoEffects()))
/// ```
///
/// The spec calls the function on the caller's thread. It creates no loop. The name is that of MobiusTest's type.
public struct InitSpec<Model, Effect> {
    private let initiate: Initiate<Model, Effect>

    /// An assertion about the model and the effects that a loop starts with.
    public typealias Assert = (First<Model, Effect>) -> Void

    /// Creates a spec for `initiate`.
    public init(_ initiate: @escaping Initiate<Model, Effect>) {
        self.initiate = initiate
    }

    /// Calls the function with `model`, as a controller does at each start, and returns the result.
    public func when(_ model: Model) -> When {
        When(first: initiate(model))
    }

    /// The result of the function.
    public struct When {
        /// The model and the effects that a loop starts with.
        public let first: First<Model, Effect>

        /// Calls `assert` with the result. This method may be called several times.
        @discardableResult
        public func then(_ assert: Assert) -> When {
            assert(first)
            return self
        }
    }
}
