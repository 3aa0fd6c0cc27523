/// Where a dispatcher was put when another was made of it: the same as itself, and no other.
@usableFromInline
final class Place: Hashable, Sendable {
    @usableFromInline
    init() {}

    @usableFromInline
    static func == (left: Place, right: Place) -> Bool { left === right }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
