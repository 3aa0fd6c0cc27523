/// How one step of a program ended. A bit each, so that a node can say by a mask which it accepts.
@frozen
@usableFromInline
struct Signal: Equatable, Sendable {
    @usableFromInline
    let bits: UInt8

    @inlinable
    @inline(__always)
    init(bits: UInt8) {
        self.bits = bits
    }

    /// The register holds the value.
    @inlinable static var value: Signal { Signal(bits: 1) }
    /// The register holds the failure.
    @inlinable static var failure: Signal { Signal(bits: 2) }
    /// The run is cancelled; the register is empty.
    @inlinable static var cancelled: Signal { Signal(bits: 4) }
    /// Any of the three ways to end.
    @inlinable static var anyEnd: Signal { Signal(bits: 7) }
    /// In a node's mask: any end, and the node does nothing but put an older environment back.
    @inlinable static var anyEndRestoringEnvironment: Signal { Signal(bits: 7 | 64) }
    /// `Machine.next` is the program to run in this one's place; the register is empty.
    @inlinable static var jump: Signal { Signal(bits: 8) }
    /// The machine has to be driven from an `async` function; it knows for what, and goes on with `Machine.pending`.
    @inlinable static var suspend: Signal { Signal(bits: 16) }
    /// `Machine.bindings` changed: leave the scope of the old ones, and go on with `Machine.pending`.
    @inlinable static var rescope: Signal { Signal(bits: 32) }

    @inlinable
    @inline(__always)
    func accepts(_ other: Signal) -> Bool {
        bits & other.bits != 0
    }
}
