/// A key path that may be used from any thread.
///
/// Invariant, and the reason why this is `Sendable`: it is made of key paths that are, one or several in a row. A row
/// of key paths captures nothing but what they capture; that the compiler forgets it is only for want of an overload.
@usableFromInline
struct SharedKeyPath<Whole, Part>: @unchecked Sendable {
    @usableFromInline let path: WritableKeyPath<Whole, Part>

    /// Where the part is stored in each whole, if it is: reading it there costs what reading a property costs.
    @usableFromInline
    var offset: Int? { MemoryLayout<Whole>.offset(of: path) }

    @inlinable
    init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        self.path = path
    }

    @inlinable
    init<Middle>(_ first: SharedKeyPath<Whole, Middle>, _ second: any WritableKeyPath<Middle, Part> & Sendable) {
        self.path = first.path.appending(path: second as WritableKeyPath<Middle, Part>)
    }

    @inlinable
    init<Middle>(_ first: SharedKeyPath<Whole, Middle>, _ second: SharedKeyPath<Middle, Part>) {
        self.path = first.path.appending(path: second.path)
    }
}
