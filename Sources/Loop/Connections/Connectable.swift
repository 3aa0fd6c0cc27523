/// Something that takes values and emits values for as long as it is connected: an effect handler, a view, an event
/// source that depends on the model.
///
/// ```swift
/// struct Echo: Connectable {
///     func connect(_ consumer: @escaping Consumer<String>) -> Connection<String> {
///         Connection(acceptClosure: { consumer($0) }, disposeClosure: {})
///     }
/// }
/// ```
///
/// Whoever implements it stops emitting and releases what it holds when the connection is disposed; what it emits
/// afterwards all the same is dropped by the loop. Each connection should be independent of the others, or refuse to be
/// the second. Most effects need nothing of this: see ``EffectRouter`` for what is less complicated.
///
/// A class of the main actor's conforms in isolation: `extension Screen: @MainActor Connectable`.
public protocol Connectable<Input, Output> {
    /// The values that a connection accepts. They are `Sendable`: a connection may pass them to another isolation.
    associatedtype Input: Sendable
    /// The values that it emits.
    associatedtype Output

    /// Connects: what is to be emitted from now on goes to `consumer`, from any thread.
    func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input>
}
