/// A step of a program. It consists of the program that runs before this step, and a function that runs when that
/// program has succeeded, failed or been cancelled.
///
/// The typed code is in `step`, a closure that an inlinable method forms. So the code is specialized in the module that
/// uses it. The methods of a generic class would not be specialized there.
@usableFromInline
final class Node: Sendable {
    @usableFromInline
    typealias Step = @Sendable (inout Machine) -> Signal

    /// The program whose end this node receives, or `nil` if no program runs before this node.
    @usableFromInline
    let source: Node?

    /// The ends that this node accepts. The machine skips the node at other ends.
    @usableFromInline
    let accepted: Signal

    @usableFromInline
    let step: Step

    /// The function that this node awaits, or `nil` if the step of the node does anything else. If the node is the
    /// whole program, the function runs without the machine's loop. In this case, the caller has checked that the run
    /// is not cancelled.
    @usableFromInline
    let wait: Machine.Wait?

    // The last property: it is destroyed after the other properties.
    private let token = Teardown.LeaveToken()

    @usableFromInline
    init(source: Node? = nil, accepting accepted: Signal = .anyEnd, _ step: @escaping Step) {
        self.source = source
        self.accepted = accepted
        self.step = step
        self.wait = nil
    }

    /// Creates a node that awaits `wait`, unless the run is cancelled when it reaches the node.
    @usableFromInline
    init(waiting wait: @escaping Machine.Wait) {
        source = nil
        accepted = .anyEnd
        step = { machine in
            if machine.isCancelled { return .cancelled }
            machine.core.wait = wait
            return .suspend
        }
        self.wait = wait
    }

    deinit { Teardown.enter(keeping: self) }
}

/// The result of a step, which determines how the run continues. Each signal is one bit, so that a mask can state the
/// signals that a node accepts.
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

    /// The program succeeded. The register contains the value.
    @inlinable static var value: Signal { Signal(bits: 1) }
    /// The program failed. The register contains the failure.
    @inlinable static var failure: Signal { Signal(bits: 2) }
    /// The run is cancelled. The register is empty.
    @inlinable static var cancelled: Signal { Signal(bits: 4) }
    /// A mask for the three ends of a program: `value`, `failure` and `cancelled`.
    @inlinable static var anyEnd: Signal { Signal(bits: 7) }
    /// The mask of a node that only restores an environment. It accepts the three ends, and an extra bit marks the
    /// node.
    @inlinable static var anyEndRestoringEnvironment: Signal { Signal(bits: 7 | 64) }
    /// The run continues with `Core.next`. The register is empty.
    @inlinable static var jump: Signal { Signal(bits: 8) }
    /// The run suspends. An `async` function awaits `Core.wait`, and continues with the resulting signal. If
    /// `Core.wait` is `nil`, the run continues with `Core.pending`.
    @inlinable static var suspend: Signal { Signal(bits: 16) }
    /// `Core.bindings` changed. The machine installs the new variables and continues with `Core.pending`.
    @inlinable static var rescope: Signal { Signal(bits: 32) }

    @inlinable
    @inline(__always)
    func accepts(_ other: Signal) -> Bool {
        bits & other.bits != 0
    }
}
