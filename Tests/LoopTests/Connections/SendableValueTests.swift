import Loop
import Testing

/// A connection passes its values to the isolation of its closures. These functions compile only if the types require
/// the values to be `Sendable`.
@Suite(.timeLimit(.minutes(10)))
struct SendableValueTests {
    private func name<Value: Sendable>(_: Value.Type) -> String { "\(Value.self)" }

    private func input<Target: Connectable>(of _: Target.Type) -> String { name(Target.Input.self) }
    private func input<Input, Output>(of _: AnyConnectable<Input, Output>) -> String { name(Input.self) }
    private func input<Input, Output>(of _: ConnectableClass<Input, Output>) -> String { name(Input.self) }
    private func value<Value>(of _: Connection<Value>.Type) -> String { name(Value.self) }

    @Test("The values of a connection are Sendable")
    func valuesAreSendable() {
        #expect(input(of: EffectRouter<Int, String>.self) == "Int")
        #expect(input(of: EffectRouter<Int, String>().asConnectable) == "Int")
        #expect(input(of: ConnectableClass<Int, String>()) == "Int")
        #expect(value(of: Connection<Int>.self) == "Int")
    }
}
