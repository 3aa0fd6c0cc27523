/// A key path that may be used from any thread.
///
/// Invariant, and the reason why this is `Sendable`: it is made of key paths that are, one or several in a row. A row
/// of key paths captures nothing but what they capture; that the compiler forgets it is only for want of an overload.
@usableFromInline
struct SharedKeyPath<Whole, Part>: @unchecked Sendable {
    @usableFromInline let path: WritableKeyPath<Whole, Part>

    @inlinable
    init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        self.path = path
    }

    @inlinable
    init<Middle>(_ first: SharedKeyPath<Whole, Middle>, _ second: any WritableKeyPath<Middle, Part> & Sendable) {
        self.path = first.path.appending(path: second as WritableKeyPath<Middle, Part>)
    }
}
