import ArchitectureEngine
import Testing

/// A core stores its state after two locks, at an address that fits the alignment of the state's type.
@Suite("Memory of a serial core", .timeLimit(.minutes(10)))
struct SerialCoreMemoryTests {
    private final class Part: Sendable {
        let onEnd: @Sendable () -> Void

        init(onEnd: @escaping @Sendable () -> Void) {
            self.onEnd = onEnd
        }

        deinit { onEnd() }
    }

    @Test("A core aligns its state as the type of the state requires", arguments: 0..<20)
    func alignment(_: Int) {
        let wide = SerialCore<SIMD8<Double>, TestMessage>(state: .init(repeating: 1), owner: Int.self)
        #expect(UInt(bitPattern: wide.state) % UInt(MemoryLayout<SIMD8<Double>>.alignment) == 0)
        #expect(wide.send(.number(1), handle: { _ in wide.change { $0 += 1 } }, handOver: {}))
        #expect(wide.read { $0 } == .init(repeating: 2))

        let narrow = SerialCore<UInt8, TestMessage>(state: 255, owner: Int.self)
        #expect(narrow.send(.number(1), handle: { _ in narrow.change { $0 &+= 1 } }, handOver: {}))
        #expect(narrow.read { $0 } == 0)
    }

    @Test("A state is deallocated with its core")
    func freeing() async {
        await confirmation { gone in
            _ = SerialCore<Part, TestMessage>(state: Part { gone() }, owner: Int.self)
        }
    }
}
