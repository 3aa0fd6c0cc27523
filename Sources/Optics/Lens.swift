/// A part that is always there: how to read it in a whole, and how to change it where it lies.
///
/// A lens is a value. It holds no whole and no part, only the way from one to the other, so it can be stored, passed on
/// and composed, from any thread. All its operations are pure functions of their arguments and run on the caller's
/// thread.
///
/// ```swift
/// let title = Lens(\App.screen.title)
/// var app = App()
/// title.set(&app, "Home")
/// title.modify(&app) { $0 += "!" }
/// title.get(app)  // "Home!"
/// ```
///
/// Changes are made in place: one element of an array of a million costs nanoseconds, not a copy of the array.
///
/// A lens must keep three laws (those of Monocle and Bow): setting what was read changes nothing, what was set is what
/// is read, and of two sets the last one counts.
///
/// Members of the part are reached by name: `app.screen` is a lens to `screen` if `app` is a lens to something that has
/// one. Where the part has a member with the name of an operation of `Lens`, write `appending(Lens(\.get))`.
@frozen
@dynamicMemberLookup
public struct Lens<Whole, Part>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part
    @usableFromInline let update: InPlaceUpdate<Whole, Part>
    /// The key path this lens is, if it is one: a longer one costs what this one does, two lenses in a row cost both.
    @usableFromInline let path: SharedKeyPath<Whole, Part>?

    /// A lens from a way to read the part and a way to change it in place.
    ///
    /// `modify` must hand the part to the closure it receives exactly once; otherwise the process stops, with a
    /// message, when the lens is used to change something.
    ///
    /// ```swift
    /// let first = Lens<[Int], Int>(get: { $0[0] }, modify: { array, change in change(&array[0]) })
    /// ```
    @inlinable
    public init(
        get: @escaping @Sendable (Whole) -> Part,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.init(get: get, modify: modify, path: nil)
    }

    @inlinable
    init(
        get: @escaping @Sendable (Whole) -> Part,
        modify: @escaping InPlaceUpdate<Whole, Part>,
        path: SharedKeyPath<Whole, Part>?
    ) {
        self.read = get
        self.update = modify
        self.path = path
    }

    /// A lens from a way to read the part, and a way to make a new whole around another part.
    ///
    /// For wholes that cannot be changed, only made again. A change copies the part: O(its size) where it is a
    /// collection, since the old whole holds it too. Prefer ``init(_:)`` or ``init(get:modify:)`` where the part can be
    /// written.
    ///
    /// ```swift
    /// let screen = Lens<Parent, Screen>(
    ///     get: { parent in parent.screen },
    ///     set: { parent, screen in Parent(screen: screen, other: parent.other) }
    /// )
    /// ```
    @inlinable
    public init(get: @escaping @Sendable (Whole) -> Part, set: @escaping @Sendable (Whole, Part) -> Whole) {
        self.init(
            get: get,
            modify: { whole, change in
                var part = get(whole)
                change(&part)
                whole = set(whole, part)
            }
        )
    }

    /// A lens to what a key path names.
    ///
    /// The laws hold where the properties on the path are stored, or computed without loss.
    ///
    /// ```swift
    /// let title = Lens(\App.screen.title)
    /// ```
    @inlinable
    public init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        self.init(SharedKeyPath(path))
    }

    @inlinable
    init(_ shared: SharedKeyPath<Whole, Part>) {
        guard let offset = shared.offset else {
            self.init(
                get: { $0[keyPath: shared.path] },
                modify: { whole, change in change(&whole[keyPath: shared.path]) },
                path: shared
            )
            return
        }
        // The runtime says that a `Part` is stored at this offset of every `Whole`. It has no offset for what is stored
        // in another representation (functions, metatypes, weak and unowned references) or written by code (observers,
        // wrappers); reading any of these as a `Part` would be undefined behavior.
        self.init(
            get: { whole in
                withUnsafeBytes(of: whole) { bytes in
                    bytes.baseAddress.unsafelyUnwrapped.advanced(by: offset).assumingMemoryBound(to: Part.self).pointee
                }
            },
            modify: { whole, change in
                withUnsafeMutableBytes(of: &whole) { bytes in
                    change(
                        &bytes.baseAddress.unsafelyUnwrapped.advanced(by: offset)
                            .assumingMemoryBound(to: Part.self).pointee)
                }
            },
            path: shared
        )
    }

    /// The part of `whole`.
    @inlinable
    public func get(_ whole: Whole) -> Part {
        read(whole)
    }

    /// Replaces the part of `whole`, in place.
    @inlinable
    public func set(_ whole: inout Whole, _ part: Part) {
        update(&whole) { $0 = part }
    }

    /// `whole` with another part. `whole` itself stays as it is.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Changes the part of `whole` in place, and returns what `change` returns.
    ///
    /// `change` is called exactly once. If it throws, the error is thrown on, and `whole` keeps the part as `change`
    /// left it.
    ///
    /// ```swift
    /// let removed = items.modify(&app) { $0.removeLast() }
    /// ```
    @inlinable
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let output = try runInPlace(update, &whole, change) else { neverHandedOver(Whole.self, Part.self) }
        return output
    }

    /// `whole` with its part changed. `whole` itself stays as it is; an error of `change` is thrown on.
    @inlinable
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// The lens to a member of the part.
    ///
    /// A row of members after a lens made of a key path, or after ``identity``, is one key path.
    ///
    /// ```swift
    /// let app = Lens<App, App>.identity
    /// app.screen.title.get(App())
    /// ```
    @inlinable
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Lens<Whole, Next> {
        guard let start = self.path else { return appending(Lens<Part, Next>(path)) }
        return Lens<Whole, Next>(SharedKeyPath(start, path))
    }
}

extension Lens where Whole == Part {
    /// The lens whose part is the whole: neutral for `appending`, on either side.
    @inlinable
    public static var identity: Lens<Whole, Whole> {
        Lens(get: { $0 }, modify: { whole, change in change(&whole) }, path: SharedKeyPath(\Whole.self))
    }
}
