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
/// - Of two consecutive sets, only the second set has an effect.
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
    @usableFromInline let path: DirectWritableKeyPath<Whole, Part>?

    /// Creates a lens from a function that reads the part and a function that updates it in place.
    ///
    /// The function passed as `modify` receives a closure, and must call it exactly once. If the function does not, the
    /// lens's methods ``LensProtocol/modify(_:_:)`` and ``LensProtocol/modifying(_:_:)`` trap. The methods
    /// ``LensProtocol/set(_:_:)`` and ``LensProtocol/setting(_:_:)`` do not check this. If the closure is not called,
    /// they do not replace the part.
    ///
    /// ```swift
    /// let first = Lens<[Int], Int>(get: { $0[0] }, modify: { array, change in change(&array[0]) })
    /// ```
    ///
    /// - Parameters:
    ///   - get: Returns the part of a whole.
    ///   - modify: Updates the part of a whole in place, by passing the part to its closure.
    @_alwaysEmitIntoClient
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
        path: DirectWritableKeyPath<Whole, Part>?
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
    @_alwaysEmitIntoClient
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
    @_alwaysEmitIntoClient
    public init(_ path: any WritableKeyPath<Whole, Part> & Sendable) {
        self.init(DirectKeyPath(path))
    }

    @inlinable
    init(_ path: DirectWritableKeyPath<Whole, Part>) {
        self.init(get: path.read, modify: path.update, path: path)
    }

    /// Returns the part of `whole`.
    @_alwaysEmitIntoClient
    public func get(_ whole: Whole) -> Part {
        read(whole)
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
    @_alwaysEmitIntoClient
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Lens<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Lens where Whole == Part {
    /// The lens whose part is the whole.
    ///
    /// Composing it with another lens, in either order, yields a lens that behaves like the other lens.
    @_alwaysEmitIntoClient
    public static var identity: Lens<Whole, Whole> {
        Lens(get: { $0 }, modify: { whole, change in change(&whole) }, path: DirectKeyPath(\Whole.self))
    }
}
