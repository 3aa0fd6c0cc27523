/// An accessor for a part that every whole has.
///
/// A lens reads the part of a whole and updates it in place: changing one element of an array does not copy the array,
/// unless its storage is shared. A lens created with ``init(get:set:)`` does not update in place: it creates a new
/// whole.
///
/// ```swift
/// let title = Lens(\App.screen.title)
/// var app = App()
/// title.set(&app, "Home")
/// title.modify(&app) { $0 += "!" }
/// title.get(app)  // "Home!"
/// ```
///
/// A lens stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They access
/// only their arguments.
///
/// A lens must satisfy three laws, which come from Monocle and Bow. `LensLaw` in `FunctionalLaws` tests them.
///
/// - Setting the part to the value that was read changes nothing.
/// - Reading returns the part that was set.
/// - Of two consecutive sets, only the second one has an effect.
///
/// A lens has the members of its part: if `app` is a lens whose part has a property `screen`, then `app.screen` is a
/// lens to that property. If a property has the same name as an operation of `Lens`, such as `get`, write
/// `appending(Lens(\.get))` instead.
@frozen
@dynamicMemberLookup
public struct Lens<Whole, Part>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part
    @usableFromInline let update: InPlaceUpdate<Whole, Part>
    /// The key path of this lens, or `nil` if it was created from closures. Two lenses with key paths compose to one
    /// key path, so that an access makes one step and not two.
    @usableFromInline let path: SharedKeyPath<Whole, Part>?

    /// Creates a lens from a function that reads the part and a function that updates it in place.
    ///
    /// The function passed as `modify` receives a closure, and must call it exactly once. If the function does not, the
    /// lens's methods ``modify(_:_:)`` and ``modifying(_:_:)`` trap. The methods ``set(_:_:)`` and ``setting(_:_:)`` do
    /// not check this. If the closure is not called, they do not replace the part.
    ///
    /// ```swift
    /// let first = Lens<[Int], Int>(get: { $0[0] }, modify: { array, change in change(&array[0]) })
    /// ```
    ///
    /// - Parameters:
    ///   - get: Returns the part of a whole.
    ///   - modify: Updates the part of a whole in place, by passing the part to its closure.
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

    /// Creates a lens from a function that reads the part and a function that returns a new whole with another part.
    ///
    /// Use it for wholes that cannot be changed in place. If the part can be written, prefer ``init(_:)`` or
    /// ``init(get:modify:)``.
    ///
    /// The old whole retains the part during an update. If the part is a collection, an update therefore copies it.
    ///
    /// ```swift
    /// let screen = Lens<Parent, Screen>(
    ///     get: { parent in parent.screen },
    ///     set: { parent, screen in Parent(screen: screen, other: parent.other) }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - get: Returns the part of a whole.
    ///   - set: Returns a copy of a whole with another part.
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

    /// Creates a lens to the property at `path`.
    ///
    /// The laws of ``Lens`` hold if each property on the path is stored. They also hold for a computed property if its
    /// getter returns exactly what was set, and if setting it changes nothing else.
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
        // The runtime reports an offset only if a `Part` is stored at that offset in every `Whole`. It reports none for
        // properties with another representation in memory (functions, metatypes, weak and unowned references), nor for
        // properties with accessors (observers, wrappers). Reading one of those as a `Part` would be undefined
        // behavior.
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

    /// Returns the part of `whole`.
    @inlinable
    public func get(_ whole: Whole) -> Part {
        read(whole)
    }

    /// Replaces the part of `whole` by `part`, in place.
    @inlinable
    public func set(_ whole: inout Whole, _ part: Part) {
        update(&whole) { $0 = part }
    }

    /// Returns a copy of `whole` whose part is `part`.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Updates the part of `whole` in place, and returns the result of `change`.
    ///
    /// `change` is called exactly once. If it throws, the part keeps the changes made before the error.
    ///
    /// ```swift
    /// let removed = items.modify(&app) { $0.removeLast() }
    /// ```
    ///
    /// - Throws: The error that `change` throws.
    @inlinable
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let output = try runInPlace(update, &whole, change) else { neverHandedOver(Whole.self, Part.self) }
        return output
    }

    /// Returns a copy of `whole` with its part updated by `change`.
    ///
    /// - Throws: The error that `change` throws.
    @inlinable
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// A lens to a property of the part.
    ///
    /// If this lens was created from a key path, the new lens appends `path` to that key path. An access then takes a
    /// single step. This also applies to ``identity``, whose key path is `\.self`.
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
    /// The lens whose part is the whole.
    ///
    /// Composing it with another lens, in either order, yields a lens that behaves like the other one.
    @inlinable
    public static var identity: Lens<Whole, Whole> {
        Lens(get: { $0 }, modify: { whole, change in change(&whole) }, path: SharedKeyPath(\Whole.self))
    }
}
