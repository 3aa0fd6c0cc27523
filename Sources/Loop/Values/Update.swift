/// An update function, which returns the next model and effects for a model and an event.
///
/// ```swift
/// var update: Update<Int, CounterEvent, CounterEffect> {
///     Update { model, event in
///         switch event {
///         case .increment: .next(model + 1)
///         case .decrement: model == 0 ? .dispatchEffects([.reportNegative]) : .next(model - 1)
///         }
///     }
/// }
/// ```
///
/// An update function is pure. A loop calls it on the thread that processes the event, one call at a time. It must not
/// read the model of its loop or observe the loop; both trap.
///
/// `Mobius.loop` also takes a plain function. The type adds composition: `widen(model:event:effect:)`,
/// `forEach(model:id:event:effect:)` and `combine(_:)`. It is based on Mobius' type of this name, which has no
/// composition.
@frozen
public struct Update<Model, Event, Effect>: Sendable {
    @usableFromInline let apply: @Sendable (inout Model, Event) -> Change<Effect>
    /// The function that the update was created with, or `nil` if the update changes the model in place. A loop calls
    /// this function without holding the lock of the model.
    @usableFromInline let next: (@Sendable (Model, Event) -> Next<Model, Effect>)?

    /// Creates an update from a function that returns the next model and effects.
    @inlinable
    public init(_ update: @escaping @Sendable (Model, Event) -> Next<Model, Effect>) {
        next = update
        apply = { model, event in
            let next = update(model, event)
            guard let new = next.model else { return Change(isModelNew: false, effects: next.effects) }
            model = new
            return Change(isModelNew: true, effects: next.effects)
        }
    }

    /// Creates an update from a function that changes the model in place and returns effects, so that a large model is
    /// not copied.
    ///
    /// Observers are notified of the model after each event, whether it has changed or not.
    ///
    /// An object that the update drops may dispose the loop in its `deinit`. The disposal takes effect right after the
    /// update. The `deinit` must not read the loop's model, which is still being updated at that time.
    ///
    /// A logger whose ``MobiusLogger/usesPreviousModel`` is `true` makes the loop copy the model for each event.
    ///
    /// ```swift
    /// var update: Update<[Int], Int, Never> {
    ///     Update(inPlace: { numbers, number in
    ///         numbers.append(number)
    ///         return []
    ///     })
    /// }
    /// ```
    @inlinable
    public init(inPlace update: @escaping @Sendable (inout Model, Event) -> [Effect]) {
        self.init(apply: { model, event in Change(isModelNew: true, effects: update(&model, event)) })
    }

    @inlinable
    init(apply: @escaping @Sendable (inout Model, Event) -> Change<Effect>) {
        self.apply = apply
        next = nil
    }

    /// Returns the next model and effects for `model` and `event`.
    @inlinable
    public func update(model: Model, event: Event) -> Next<Model, Effect> {
        var model = model
        let change = apply(&model, event)
        return Next(model: change.isModelNew ? model : nil, effects: change.effects)
    }

    /// Applies `event` to `model`, and returns the effects.
    ///
    /// Use this to fold many events into a model without a loop, for example to restore a document from its log. An update
    /// that changes the model in place does not copy it; ``update(model:event:)`` does.
    ///
    /// ```swift
    /// var profile = Profile()
    /// for visits in 1...3 { _ = counting.apply(visits, to: &profile) }
    /// ```
    ///
    /// If the update returns no new model, `model` stays as it is. Effects are not handled.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - model: The model to change.
    /// - Returns: The effects of the update.
    /// - Complexity: The cost of the update itself.
    @inlinable
    public func apply(_ event: Event, to model: inout Model) -> [Effect] {
        apply(&model, event).effects
    }

    /// Returns the next model and effects for a model and an event; see ``update(model:event:)``.
    @inlinable
    public func callAsFunction(_ model: Model, _ event: Event) -> Next<Model, Effect> {
        update(model: model, event: event)
    }

    /// Returns the next model and effects for `model` and `event`; see ``update(model:event:)``.
    @inlinable
    public func callAsFunction(model: Model, event: Event) -> Next<Model, Effect> {
        update(model: model, event: event)
    }
}

/// The result of applying an update to a model in place: whether the model is new, and the effects.
@frozen
@usableFromInline
struct Change<Effect> {
    @usableFromInline let isModelNew: Bool
    @usableFromInline let effects: [Effect]

    @inlinable
    init(isModelNew: Bool, effects: [Effect]) {
        self.isModelNew = isModelNew
        self.effects = effects
    }

    /// Neither a new model nor effects.
    @inlinable
    static var none: Change {
        Change(isModelNew: false, effects: [])
    }

    /// Returns the same change with transformed effects.
    @inlinable
    func map<NewEffect>(_ transform: (Effect) -> NewEffect) -> Change<NewEffect> {
        Change<NewEffect>(isModelNew: isModelNew, effects: effects.map(transform))
    }
}
