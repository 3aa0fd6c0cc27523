/// The model that a loop starts from, and the effects to handle first. Based on Mobius' type of this name.
@frozen
public struct First<Model, Effect> {
    /// The model to start from.
    public let model: Model
    /// The effects, in the order in which they are handled.
    public let effects: [Effect]

    /// Creates a value from a model to start from and effects to handle first.
    @inlinable
    public init(model: Model, effects: [Effect] = []) {
        self.model = model
        self.effects = effects
    }
}

extension First: Sendable where Model: Sendable, Effect: Sendable {}

extension First: Equatable where Model: Equatable, Effect: Equatable {}

extension First: CustomDebugStringConvertible {
    /// A description of the form `(model, [effects])`.
    public var debugDescription: String {
        "(\(String(reflecting: model)), \(effects.debugDescription))"
    }
}

/// A function that a controller calls at each start with its current model; it returns the model to start from, and
/// effects.
///
/// Use it to reset a temporary state of the model, such as "loading", or to request data again if the data may be out
/// of date. It is called on the loop's queue and should be pure. If the controller is stopped while the function runs,
/// the start is stopped: neither the effect handler nor the event source is connected, and the model stays as it was.
public typealias Initiate<Model, Effect> = @Sendable (Model) -> First<Model, Effect>
