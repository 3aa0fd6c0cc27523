public import Loop

/// Says what an update function should answer: given a model, when events come, then this.
///
/// ```swift
/// UpdateSpec(update)
///     .given(2)
///     .when(.increment, .save)
///     .then(assertThatNext(hasNoModel(), hasEffects([.save(3)])))
/// ```
///
/// Nothing runs but the update function, on the caller's thread. After MobiusTest's type of this name.
public struct UpdateSpec<Model, Event, Effect> {
    private let update: Update<Model, Event, Effect>

    /// What is said of what the events have come to.
    public typealias Assert = (Result) -> Void

    /// A specification of `update`.
    public init(_ update: Update<Model, Event, Effect>) {
        self.update = update
    }

    /// A specification of `update`.
    public init(_ update: @escaping @Sendable (Model, Event) -> Next<Model, Effect>) {
        self.init(Update(update))
    }

    /// The model that the events are to meet.
    public func given(_ model: Model) -> Given {
        Given(update: update, model: model)
    }
}

extension UpdateSpec {
    /// An update function and a model.
    public struct Given {
        let update: Update<Model, Event, Effect>
        let model: Model

        /// The events that come, one after the other: each meets the model that those before it left.
        public func when(_ event: Event, _ others: Event...) -> When {
            var result = Result(model: model, lastNext: .noChange)
            for event in [event] + others {
                let next = update(result.model, event)
                result = Result(model: next.model ?? result.model, lastNext: next)
            }
            return When(result: result)
        }
    }

    /// An update function that events have come to.
    public struct When {
        /// What they have come to.
        public let result: Result

        /// Has `assert` look at what the events have come to. May be said several times.
        @discardableResult
        public func then(_ assert: Assert) -> When {
            assert(result)
            return self
        }
    }

    /// What events have come to.
    public struct Result {
        /// The last model that any answer had; where none had one, the model that was given.
        public let model: Model
        /// The answer to the last event.
        public let lastNext: Next<Model, Effect>

        /// A result of these, to try an ``Assert`` out with.
        public init(model: Model, lastNext: Next<Model, Effect>) {
            self.model = model
            self.lastNext = lastNext
        }
    }
}

extension UpdateSpec.Result: Equatable where Model: Equatable, Effect: Equatable {}
