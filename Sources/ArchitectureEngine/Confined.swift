/// Fields that one thread at a time uses, mostly the draining one: as an object, or as the fields of a subclass.
///
/// Exclusive access to them is not checked, for speed.
///
/// Invariant: a change of a field ends before the same field is accessed again. So code of the user is called,
/// and what it may deallocate is released, only between two accesses.
@usableFromInline
package class Confined<Fields> {
    @exclusivity(unchecked)
    @safe
    @usableFromInline package final var confined: Fields

    /// The fields. Other modules check exclusive access to `confined`, because they do not see its attribute.
    @inlinable
    package final var value: Fields {
        @inline(__always) _read { yield confined }
        @inline(__always) _modify { yield &confined }
    }

    @inlinable
    @inline(__always)
    package init(confined: Fields) {
        self.confined = confined
    }

    @inlinable
    deinit {}
}
