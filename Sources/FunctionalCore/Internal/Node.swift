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

    @usableFromInline
    let step: Step

    // Declared last: its deinitialiser runs when the properties above have been destroyed.
    private let token = LeaveToken()

    @usableFromInline
    init(source: Node? = nil, accepting accepted: Signal = .anyEnd, _ step: @escaping Step) {
        self.source = source
        self.accepted = accepted
        self.step = step
    }

    deinit { Teardown.enter(keeping: self) }
}
