import Dispatcher
import FunctionalCore
import Optics
import Testing

@Suite("A component whose state is an enum", .timeLimit(.minutes(10)))
struct EnumStateTests {
    /// The compiler keeps the tag in the padding between the fields of `Sample`, and `State.set`, which is generic,
    /// copies the padding of its argument.
    @Test func aChildThatSetsAPaddedPayloadKeepsTheCase() {
        let component = Component(
            initialState: Screen.first(Sample(kind: 0, value: 0)),
            environment: (),
            dispatcher: setter(Sample.self).widen(transformState: Screen.prism(for: Screen.first))
        )
        for value in 1...20 {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 16)
            let sample = memory.bindMemory(to: Sample.self, capacity: 1)
            sample.pointee.kind = 2
            sample.pointee.value = value
            send(sample, to: component)
            guard case .first(let written) = component.state else {
                Issue.record("The state has another case.")
                return
            }
            #expect(written.kind == 2 && written.value == value)
        }
    }
}

// Unspecialized, so that inputs are copied with their padding.

@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
private func setter<Value: Sendable>(_: Value.Type) -> StateDispatcher<Any, Value, Value> {
    .pure { .set($0) }
}

@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
private func send<Input>(_ input: UnsafeMutablePointer<Input>, to component: Component<Screen, Input>) {
    component.send(input.pointee)
}

private struct Sample {
    var kind: UInt8
    var value: Int
}

private enum Screen: AutoPrism {
    case first(Sample)
    case second(Sample)
    case closed
}
