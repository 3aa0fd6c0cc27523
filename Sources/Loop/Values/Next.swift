/// The result of an update function: a new model or none, and effects to handle.
///
/// ```swift
/// .next(model + 1)                          // a new model
/// .next(model, effects: [.save(model)])     // a new model and effects
/// .dispatchEffects([.refresh])              // only effects
/// .noChange                                 // neither
/// ```
///
/// Effects are handled in the order of the array. The type is based on Mobius' type of this name.
@frozen
public struct Next<Model, Effect> {
    /// The new model, or `nil` if the model stays as it was.
    public let model: Model?
    /// The effects, in the order in which they are handled.
    public let effects: [Effect]

    @inlinable
    init(model: Model?, effects: [Effect]) {
        self.model = model
        self.effects = effects
    }

    /// Returns a new model and effects.
    ///
    /// Observers are notified of the model even if it equals the previous model.
    @inlinable
    public static func next(_ model: Model, effects: [Effect] = []) -> Next {
        Next(model: model, effects: effects)
    }

    /// Returns effects without a new model.
    @inlinable
    public static func dispatchEffects(_ effects: [Effect]) -> Next {
        Next(model: nil, effects: effects)
    }

    /// Neither a model nor effects.
    @inlinable
    public static var noChange: Next {
        Next(model: nil, effects: [])
    }
}

extension Next: Sendable where Model: Sendable, Effect: Sendable {}

extension Next: Equatable where Model: Equatable, Effect: Equatable {}

extension Next: CustomDebugStringConvertible {
    /// A description of the form `(model, [effects])`, with `nil` if there is no model.
    public var debugDescription: String {
        "(\(model.map { String(reflecting: $0) } ?? "nil"), \(effects.debugDescription))"
    }
}
