/// What a loop starts from: a model, and effects to be executed at once. After Mobius' type of this name.
@frozen
public struct First<Model, Effect> {
    /// The model to start from.
    public let model: Model
    /// The effects, in the order in which they are executed.
    public let effects: [Effect]

    /// A model to start from, and effects.
    @inlinable
    public init(model: Model, effects: [Effect] = []) {
        self.model = model
        self.effects = effects
    }
}

extension First: Sendable where Model: Sendable, Effect: Sendable {}

extension First: Equatable where Model: Equatable, Effect: Equatable {}

extension First: CustomDebugStringConvertible {
    /// `(model, [effects])`.
    public var debugDescription: String {
        "(\(String(reflecting: model)), \(effects.debugDescription))"
    }
}

/// What a controller asks each time it starts: from the model as it was left, the model to start from, and effects.
///
/// This is the place to back out of a temporary state, or to ask again for what may be out of date. It is called on the
/// loop's queue and should be pure. A stop in it, for example by what it calls, stops the start: neither effect handler
/// nor event source is connected, and the model stays as it was.
public typealias Initiate<Model, Effect> = @Sendable (Model) -> First<Model, Effect>
