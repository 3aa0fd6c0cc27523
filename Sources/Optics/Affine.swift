/// An accessor for a part that may be absent.
///
/// An affine reads the part if it is present, and updates it in place. Composing a lens and a prism yields an affine.
/// Other libraries call an affine an optional or an affine traversal.
///
/// ```swift
/// let name = Lens(\App.user).some().name // the name of a user who may not be logged in
/// name.extract(App())                   // nil
/// name.modify(&app) { $0 = $0.uppercased() }
/// ```
///
/// An affine stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They
/// access only their arguments.
///
/// An affine must satisfy the laws of Monocle's `Optional`. `AffineLaw` in `FunctionalLaws` tests them.
///
/// - Setting the part to the value that was read changes nothing.
/// - Reading returns the part that was set, if there was a part before.
/// - Of two consecutive sets, only the second set has an effect.
/// - If the part is absent, setting changes nothing.
///
/// An affine has the members of its part: if `user` is an affine whose part has a property `name`, then `user.name` is
/// an affine to that property.
@frozen
@dynamicMemberLookup
public struct Affine<Whole, Part>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part?
    @usableFromInline let update: InPlaceUpdate<Whole, Part>

    /// Creates an affine from a function that reads the part and a function that updates it in place.
    ///
    /// ```swift
    /// let first = Affine<[Int], Int>(
    ///     extract: { $0.first },
    ///     modify: { array, change in if !array.isEmpty { change(&array[0]) } }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - extract: Returns the part of a whole, or `nil` if it is absent.
    ///   - modify: Updates the part of a whole in place. If `extract` finds a part, this function must pass the part to
    ///     its closure once. Otherwise, it must not call the closure. An update through this affine traps if the
    ///     closure is called twice. If the closure is not called, ``modify(_:_:)`` returns `nil`, and ``set(_:_:)``
    ///     returns `false`.
    @_alwaysEmitIntoClient
    public init(
        extract: @escaping @Sendable (Whole) -> Part?,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.read = extract
        self.update = modify
    }

    /// Creates an affine from a function that reads the part and a function that returns a new whole with another part.
    ///
    /// The old whole retains the part during an update. If the part is a collection, an update therefore copies it.
    ///
    /// - Parameters:
    ///   - extract: Returns the part of a whole, or `nil` if it is absent.
    ///   - set: Returns a copy of a whole with another part. It is called only if `extract` finds a part.
    @_alwaysEmitIntoClient
    public init(extract: @escaping @Sendable (Whole) -> Part?, set: @escaping @Sendable (Whole, Part) -> Whole) {
        self.init(
            extract: extract,
            modify: { whole, change in
                guard var part = extract(whole) else { return }
                change(&part)
                whole = set(whole, part)
            }
        )
    }

    /// Returns the part of `whole`, or `nil` if it is absent.
    @_alwaysEmitIntoClient
    public func extract(_ whole: Whole) -> Part? {
        read(whole)
    }

    /// Returns whether `whole` has the part.
    @_alwaysEmitIntoClient
    public func matches(_ whole: Whole) -> Bool {
        read(whole) != nil
    }

    /// Replaces the part of `whole` in place, if it is present.
    ///
    /// - Returns: `true` if the part is present.
    @_alwaysEmitIntoClient
    @discardableResult
    public func set(_ whole: inout Whole, _ part: Part) -> Bool {
        modify(&whole) { $0 = part } != nil
    }

    /// Updates the part of `whole` in place, and returns the result of `change`.
    ///
    /// `change` is called once if the part is present, and not at all otherwise. If it throws, the part keeps the
    /// changes made before the error.
    ///
    /// - Returns: The result of `change`, or `nil` if the part is absent.
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output? {
        try runInPlace(update, &whole, change)
    }

    /// An affine to a property of the part.
    @_alwaysEmitIntoClient
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Affine<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Affine where Whole == Part {
    /// The affine whose part is the whole.
    ///
    /// Composing it with another affine, in either order, yields an affine that behaves like the other affine.
    @_alwaysEmitIntoClient
    public static var identity: Affine<Whole, Whole> {
        Lens.identity.asAffine
    }
}
