/// A container, or a base class, for fields that only one thread at a time uses, mostly the draining thread.
///
/// Exclusive access to the fields is not checked, for speed.
///
/// Invariant: a change of a field ends before the next access to the same field begins. So no code of the user runs
/// during a change, neither by a call nor by the release of an object.
@usableFromInline
package class Confined<Fields> {
    @exclusivity(unchecked)
    @safe
    @usableFromInline package final var confined: Fields

    /// The fields, for other modules. The compiler does not see the attribute of `confined` in other modules, so it
    /// would check exclusive access to `confined` there.
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
