/// A part that may be absent: how to read it where it is there, and how to change it where it lies.
///
/// What a lens and a prism compose to; also called an optional or an affine traversal. It holds no whole and no part,
/// runs on the caller's thread and may be used from any.
///
/// ```swift
/// let name = Lens(\App.user).some().name // the name of a user who may not be logged in
/// name.extract(App())                   // nil
/// name.modify(&app) { $0 = $0.uppercased() }
/// ```
///
/// An affine must keep the laws of Monocle's `Optional`: setting what was read changes nothing; what was set is what is
/// read, where there was a part; of two sets the last one counts. Where there is no part nothing changes.
@frozen
@dynamicMemberLookup
public struct Affine<Whole, Part>: Sendable {
    @usableFromInline let read: @Sendable (Whole) -> Part?
    @usableFromInline let update: InPlaceUpdate<Whole, Part>

    /// An affine from a way to read the part and a way to change it in place.
    ///
    /// `modify` must hand the part over once where `extract` finds one, and not at all where it finds none.
    ///
    /// ```swift
    /// let first = Affine<[Int], Int>(
    ///     extract: { $0.first },
    ///     modify: { array, change in if !array.isEmpty { change(&array[0]) } }
    /// )
    /// ```
    @inlinable
    public init(
        extract: @escaping @Sendable (Whole) -> Part?,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.read = extract
        self.update = modify
    }

    /// An affine from a way to read the part and a way to make a new whole around another part.
    ///
    /// `set` is called only where `extract` finds a part. A change copies the part: O(its size) for a collection.
    @inlinable
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

    /// The part of `whole`, or `nil` where there is none.
    @inlinable
    public func extract(_ whole: Whole) -> Part? {
        read(whole)
    }

    /// Whether `whole` has the part.
    @inlinable
    public func matches(_ whole: Whole) -> Bool {
        read(whole) != nil
    }

    /// The part of `whole`, or `whole` back where there is none.
    @inlinable
    public func getOrModify(_ whole: Whole) -> Matching<Whole, Part> {
        read(whole).map(Matching.matched) ?? .unmatched(whole)
    }

    /// Replaces the part of `whole`, in place, if there is one; returns whether there was.
    @inlinable
    @discardableResult
    public func set(_ whole: inout Whole, _ part: Part) -> Bool {
        modify(&whole) { $0 = part } != nil
    }

    /// `whole` with another part; `whole` as it is where it has none.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Changes the part of `whole` in place, and returns what `change` returns; `nil` where there is no part.
    ///
    /// `change` is called once where there is a part, and not at all where there is none. An error it throws is thrown
    /// on, and `whole` keeps the part as `change` left it.
    @inlinable
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output? {
        try runInPlace(update, &whole, change)
    }

    /// `whole` with its part changed; `whole` as it is where it has none. An error of `change` is thrown on.
    @inlinable
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// The affine to a member of the part.
    @inlinable
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Affine<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Affine where Whole == Part {
    /// The affine whose part is the whole: neutral for `appending`, on either side.
    @inlinable
    public static var identity: Affine<Whole, Whole> {
        Lens.identity.asAffine
    }
}
