public import ArchitectureEngine
import FunctionalCore

/// A type-erased connectable.
public struct AnyConnectable<Input: Sendable, Output>: Connectable, Sendable {
    @usableFromInline let connectClosure: @Sendable (@escaping EventConsumer<Output>) -> Connection<Input>
    /// The class instance to which this connectable forwards, or `nil` if it forwards to a value or a closure.
    let base: Unchecked<AnyObject>?
    /// The type that a trace names for this connectable; see `Connectable.tracedType`.
    let type: Any.Type?

    /// Creates a connectable that calls `connect` for each connection; see ``Connectable/connect(_:)``.
    public init(_ connect: @escaping @Sendable (@escaping Consumer<Output>) -> Connection<Input>) {
        self.init({ consumer in connect { consumer($0, nil) } }, of: nil, named: Self.self)
    }

    init(
        _ connect: @escaping @Sendable (@escaping EventConsumer<Output>) -> Connection<Input>,
        of base: Unchecked<AnyObject>?, named type: Any.Type?
    ) {
        connectClosure = connect
        self.base = base
        self.type = type
    }

    /// Creates a connectable that forwards to `base`.
    public init<Base: Connectable & Sendable>(_ base: Base) where Base.Input == Input, Base.Output == Output {
        switch base {
        case let adapter as Self: self = adapter
        case let router as any EffectRecording<Input, Output>:
            self.init({ router.connect(sendingTo: $0) }, of: nil, named: nil)
        default:
            self.init({ consumer in base.connect { consumer($0, nil) } }, of: base.connectedObject, named: Base.self)
        }
    }

    /// Creates a connection with the closure or the connectable that this value was created with.
    @inlinable
    public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
        connectClosure { output, _ in consumer(output) }
    }
}

extension AnyConnectable {
    /// The effect handler of a loop without effects. A trace does not record it.
    @usableFromInline
    static var ignoring: AnyConnectable {
        AnyConnectable({ _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) }, of: nil, named: nil)
    }
}

/// An effect handler that itself records its effects in the loop's trace, one `TracedWork` for each effect, and sends
/// events with their cancellation: a router or an effect switch.
protocol EffectRecording<Input, Output>: Connectable, Sendable {
    func connect(sendingTo consumer: @escaping EventConsumer<Output>) -> Connection<Input>
}

extension Connectable {
    /// The type that a trace names for this connectable. `nil` if it is `ignoring`, or if it is or forwards to an
    /// `EffectRecording` handler. A trace does not record the connections of these.
    var tracedType: Any.Type? {
        if let adapter = self as? AnyConnectable<Input, Output> { return adapter.type }
        return self is any EffectRecording ? nil : Self.self
    }

    /// The class instance that this connectable is, or to which it forwards as an `AnyConnectable`. Otherwise `nil`.
    ///
    /// Unchecked: only the identity of the object is used, so it may have any isolation.
    var connectedObject: Unchecked<AnyObject>? {
        if let adapter = self as? AnyConnectable<Input, Output> { return adapter.base }
        // The type is checked first, since casting a value to `AnyObject` would box it in a new object each time.
        return type(of: self) is AnyClass ? Unchecked(self as AnyObject) : nil
    }
}
