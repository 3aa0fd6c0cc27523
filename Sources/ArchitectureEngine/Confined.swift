/// A class with fields that one thread at a time uses, mostly the draining one.
///
/// Exclusive access to them is not checked, for speed.
///
/// Invariant: a change of a field ends before the same field is accessed again. So a subclass calls code of the user,
/// and releases what that may deallocate, only between two accesses.
@usableFromInline
package class Confined<Fields> {
    @exclusivity(unchecked)
    @safe
    @usableFromInline package final var confined: Fields

    @inlinable
    package init(confined: Fields) {
        self.confined = confined
    }

    @inlinable
    deinit {}
}
