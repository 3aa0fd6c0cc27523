/// One step of a program that is more than a closure: what runs first, and what to do with how that ended.
///
/// Typed work sits in `step`, a closure formed in an inlinable method, so that it is specialised where it is used; a
/// generic class's methods are not.
///
/// Unchecked: all stored properties are immutable, and `step` is formed from `@Sendable` closures and from values that
/// were `Sendable` where they entered the description.
@usableFromInline
final class Node: @unchecked Sendable {
    @usableFromInline
    typealias Step = (inout Machine) -> Signal

    /// The program whose end this node continues; `nil` for one that begins.
    @usableFromInline
    let source: Node?

    /// The ends of `source` that this node wants to see; it is passed over at others.
    @usableFromInline
    let accepted: Signal

    /// Whether `wait` is all that it does, so that `step` suspends the run.
    @usableFromInline
    let alwaysWaits: Bool

    @usableFromInline
    let step: Step

    /// What a node does that waits and does nothing else: where it is all there is to run, it needs no loop around it.
    /// It is for who has looked whether the run is cancelled.
    @usableFromInline
    let wait: Machine.Wait?

    // Declared last: its deinitialiser runs when the properties above have been destroyed.
    private let token = LeaveToken()

    @usableFromInline
    init(source: Node? = nil, accepting accepted: Signal = .anyEnd, _ step: @escaping Step) {
        self.source = source
        self.accepted = accepted
        self.alwaysWaits = false
        self.step = step
        self.wait = nil
    }

    /// One that waits, unless the run is cancelled when it comes to it.
    @usableFromInline
    convenience init(waiting wait: @escaping Machine.Wait) {
        self.init(waiting: wait, alwaysWaits: true) { machine in
            if machine.isCancelled { return .cancelled }
            machine.wait = wait
            return .suspend
        }
    }

    /// One whose `step` comes to the same as `wait`, where the run can wait.
    @usableFromInline
    init(waiting wait: @escaping Machine.Wait, alwaysWaits: Bool = false, _ step: @escaping Step) {
        self.source = nil
        self.accepted = .anyEnd
        self.alwaysWaits = alwaysWaits
        self.step = step
        self.wait = wait
    }

    deinit { Teardown.enter(keeping: self) }
}
