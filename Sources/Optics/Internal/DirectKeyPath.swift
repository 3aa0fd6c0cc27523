public import FunctionalCore

/// A key path, with the offset at which every whole stores the part. The offset is `nil` if the part is not stored.
///
/// A stored part is accessed at its offset, which costs as much as an access to a property. Any other part is accessed
/// through the key path.
///
/// The runtime reports an offset only if a `Part` is stored at that offset in every `Whole`. It reports none for
/// properties with another representation in memory (functions, metatypes, weak and unowned references), nor for
/// properties with accessors (observers, wrappers). Accessing one of those as a `Part` would be undefined behavior.
///
/// Unchecked: `path` consists of key paths that are `Sendable`, and captures nothing but their captures. The standard
/// library has no `appending(path:)` that keeps `Sendable`.
@usableFromInline
package struct DirectKeyPath<Whole, Part, Path: KeyPath<Whole, Part>>: @unchecked Sendable {
    @usableFromInline package let path: Path
    @usableFromInline package let offset: Int?

    @inlinable
    init(unchecked path: Path) {
        self.path = path
        offset = MemoryLayout<Whole>.offset(of: path)
    }

    @inlinable
    package init(_ path: any KeyPath<Whole, Part> & Sendable) where Path == KeyPath<Whole, Part> {
        self.init(unchecked: path)
    }

    /// Calls `body` with the part of `whole`, or with a copy of the part if it is not stored.
    @inlinable
    @inline(__always)
    package func withPart<Result>(of whole: Borrowed<Whole>, _ body: (Borrowed<Part>) -> Result) -> Result {
        guard let offset else { return Borrowed.with(whole.value[keyPath: path], body) }
        return unsafe body(Borrowed(Self.part(of: whole.address, at: offset)))
    }

    /// Returns the address of the part that is stored at `offset` in the value at `whole`.
    ///
    /// Unchecked: `offset` is the offset of a key path from `Whole` to `Part`, so a `Part` is stored there.
    @inlinable
    @inline(__always)
    static func part(of whole: UnsafePointer<Whole>, at offset: Int) -> UnsafePointer<Part> {
        unsafe (UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self)
    }
}

@usableFromInline
typealias DirectWritableKeyPath<Whole, Part> = DirectKeyPath<Whole, Part, WritableKeyPath<Whole, Part>>

extension DirectKeyPath where Path == WritableKeyPath<Whole, Part> {
    @inlinable
    package init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        self.init(unchecked: path)
    }

    /// The function that returns the part of a whole.
    ///
    /// `read` and `update` inspect the offset once, and not at each access.
    @inlinable
    var read: @Sendable (Whole) -> Part {
        guard let offset else { return { $0[keyPath: path] } }
        return { whole in unsafe withUnsafePointer(to: whole) { unsafe Self.part(of: $0, at: offset).pointee } }
    }

    /// The function that updates the part of a whole in place.
    @inlinable
    var update: InPlaceUpdate<Whole, Part> {
        guard let offset else { return { whole, change in change(&whole[keyPath: path]) } }
        return { whole, change in
            unsafe withUnsafeMutablePointer(to: &whole) { whole in
                unsafe change(&UnsafeMutablePointer(mutating: Self.part(of: whole, at: offset)).pointee)
            }
        }
    }

    /// Returns the key path to the part of `next` within the part of this key path.
    @inlinable
    func appending<Next>(_ next: DirectWritableKeyPath<Part, Next>) -> DirectWritableKeyPath<Whole, Next> {
        DirectWritableKeyPath(unchecked: path.appending(path: next.path))
    }
}
