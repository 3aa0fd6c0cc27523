public import Loop

/// A test driver for an update function, which applies events to a model and checks the last answer.
///
/// ```swift
/// UpdateSpec(update)
///     .given(2)
///     .when(.increment, .save)
///     .then(assertThatNext(hasNoModel(), hasEffects([.save(3)])))
/// ```
///
/// The spec calls the update function on the caller's thread. It creates no loop and handles no effects. The name is
/// that of MobiusTest's type.
public struct UpdateSpec<Model, Event, Effect> {
    private let update: Update<Model, Event, Effect>

    /// An assertion about the result of the events.
    public typealias Assert = (Result) -> Void

    /// Creates a spec for `update`.
    public init(_ update: Update<Model, Event, Effect>) {
        self.update = update
    }

    /// Creates a spec for a function.
    public init(_ update: @escaping @Sendable (Model, Event) -> Next<Model, Effect>) {
        self.init(Update(update))
    }

    /// Returns the spec with a model to start from.
    public func given(_ model: Model) -> Given {
        Given(update: update, model: model)
    }
}

extension UpdateSpec {
    /// An update function and a model to start from.
    public struct Given {
        let update: Update<Model, Event, Effect>
        let model: Model

        /// Calls the update function for each event in order, each time with the current model.
        ///
        /// If an answer contains a model, it becomes the current model for the next event.
        public func when(_ event: Event, _ others: Event...) -> When {
            var result = Result(model: model, lastNext: .noChange)
            for event in [event] + others {
                let next = update(result.model, event)
                result = Result(model: next.model ?? result.model, lastNext: next)
            }
            return When(result: result)
        }
    }

    /// The outcome of the events.
    public struct When {
        /// The last model and the last answer.
        public let result: Result

        /// Calls `assert` with the result. This method may be called several times.
        @discardableResult
        public func then(_ assert: Assert) -> When {
            assert(result)
            return self
        }
    }

    /// The last model and the last answer after a number of events.
    public struct Result {
        /// The last model that an answer contained, or the given model if no answer contained one.
        public let model: Model
        /// The answer to the last event.
        public let lastNext: Next<Model, Effect>

        /// Creates a result, for tests of your own ``Assert`` functions.
        public init(model: Model, lastNext: Next<Model, Effect>) {
            self.model = model
            self.lastNext = lastNext
        }
    }
}

extension UpdateSpec.Result: Equatable where Model: Equatable, Effect: Equatable {}
