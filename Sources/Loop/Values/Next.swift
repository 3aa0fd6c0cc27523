/// What an update function answers: a new model or none, and effects to be executed.
///
/// ```swift
/// .next(model + 1)                          // a new model
/// .next(model, effects: [.save(model)])     // a new model and effects
/// .dispatchEffects([.refresh])              // effects alone
/// .noChange                                 // neither
/// ```
///
/// A value, after Mobius' type of this name. Effects are executed in the order in which they stand here.
@frozen
public struct Next<Model, Effect> {
    /// The new model, or `nil` where the model stays as it was.
    public let model: Model?
    /// The effects, in the order in which they are executed.
    public let effects: [Effect]

    @inlinable
    init(model: Model?, effects: [Effect]) {
        self.model = model
        self.effects = effects
    }

    /// A new model, and effects.
    ///
    /// Who observes is told of the model even if it equals the one before.
    @inlinable
    public static func next(_ model: Model, effects: [Effect] = []) -> Next {
        Next(model: model, effects: effects)
    }

    /// Effects alone; the model stays as it was.
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
    /// `(model, [effects])`, with `nil` where there is no model.
    public var debugDescription: String {
        "(\(model.map { String(reflecting: $0) } ?? "nil"), \(effects.debugDescription))"
    }
}
