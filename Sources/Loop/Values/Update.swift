/// How a model changes: what comes of a model and an event.
///
/// ```swift
/// let update = Update<Int, CounterEvent, CounterEffect> { model, event in
///     switch event {
///     case .increment: .next(model + 1)
///     case .decrement: model == 0 ? .dispatchEffects([.reportNegative]) : .next(model - 1)
///     }
/// }
/// ```
///
/// A function that is pure: it is called on whichever thread handles the event, one call at a time for each loop, and
/// must not call the loop. `Mobius.loop` takes such a function as it is, too; the type is there to compose them:
/// `widen(model:event:effect:)`, `forEach(model:id:event:effect:)` and `combine(_:)`.
///
/// After Mobius' type of this name, which composes nothing.
@frozen
public struct Update<Model, Event, Effect>: Sendable {
    @usableFromInline let apply: @Sendable (inout Model, Event) -> Change<Effect>
    /// The function that it was made of, if it was one that returns a model: a loop calls that one outside of its lock.
    @usableFromInline let next: (@Sendable (Model, Event) -> Next<Model, Effect>)?

    /// An update from a function of a model and an event.
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

    /// An update that changes the model in place and returns effects: nothing of a large model is copied.
    ///
    /// Observers are notified of the model after each event, changed or not. An object that the update drops may dispose
    /// the loop in its `deinit`, which takes effect right after the update. It must not read the model, which is still
    /// being changed then. A logger that implements ``MobiusLogger/didUpdate(model:event:next:)`` makes the loop copy the
    /// model for each event.
    ///
    /// ```swift
    /// let update = Update<[Int], Int, Never>(inPlace: { numbers, number in
    ///     numbers.append(number)
    ///     return []
    /// })
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

    /// What comes of `model` and `event`. Changes nothing.
    @inlinable
    public func update(model: Model, event: Event) -> Next<Model, Effect> {
        var model = model
        let change = apply(&model, event)
        return Next(model: change.isModelNew ? model : nil, effects: change.effects)
    }

    /// The same, spelled as a call.
    @inlinable
    public func callAsFunction(_ model: Model, _ event: Event) -> Next<Model, Effect> {
        update(model: model, event: event)
    }

    /// The same, spelled as a call with labels.
    @inlinable
    public func callAsFunction(model: Model, event: Event) -> Next<Model, Effect> {
        update(model: model, event: event)
    }
}

/// What an update has done to a model that it changed in place.
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

    /// Neither a model nor effects.
    @inlinable
    static var none: Change {
        Change(isModelNew: false, effects: [])
    }

    /// The same with other effects.
    @inlinable
    func map<NewEffect>(_ transform: (Effect) -> NewEffect) -> Change<NewEffect> {
        Change<NewEffect>(isModelNew: isModelNew, effects: effects.map(transform))
    }
}
