/// One alternative of a whole: how to make a whole from the part, and how to get the part out where it is there.
///
/// Typically one case of an enum.
///
/// ```swift
/// let child = Prism(Parent.child) { if case .child(let child) = $0 { child } else { nil } }
/// child.embed(Child())       // Parent.child(Child())
/// child.extract(.somethingElse)  // nil
/// child.modify(&parent) { $0.count += 1 }
/// ```
///
/// A prism is a value. It holds no whole and no part, its operations are pure, run on the caller's thread and may be
/// used from any. Written with closures it costs 2–3 ns; ``AutoPrism`` writes it for a case of any enum.
///
/// A prism must keep two laws, those of Monocle and Bow: what was embedded is what is extracted, and what was
/// extracted, embedded again, is the whole it came from.
@frozen
@dynamicMemberLookup
public struct Prism<Whole, Part>: Sendable {
    @usableFromInline let build: @Sendable (Part) -> Whole
    @usableFromInline let read: @Sendable (Whole) -> Part?
    @usableFromInline let update: InPlaceUpdate<Whole, Part>
    /// What reads a case without calling `read`: the address of a value goes straight to it, which saves a copy.
    @usableFromInline let reader: UnretainedReader<Whole, Part>?
    /// How to find out by its case alone whether a whole may match; `nil` where nothing is known about that.
    @usableFromInline package let routing: CaseRouting<Whole>?

    /// A prism from a way to make a whole, a way to get the part out, and a way to change the part in place.
    ///
    /// `modify` must hand the part over once where `extract` finds one, and not at all where it finds none.
    @inlinable
    public init(
        embed: @escaping @Sendable (Part) -> Whole,
        extract: @escaping @Sendable (Whole) -> Part?,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.init(embed: embed, extract: extract, modify: modify, reader: nil, routing: nil)
    }

    @inlinable
    init(
        embed: @escaping @Sendable (Part) -> Whole,
        extract: @escaping @Sendable (Whole) -> Part?,
        modify: @escaping InPlaceUpdate<Whole, Part>,
        reader: UnretainedReader<Whole, Part>?,
        routing: CaseRouting<Whole>?
    ) {
        self.build = embed
        self.read = extract
        self.update = modify
        self.reader = reader
        self.routing = routing
    }

    /// A prism from a way to make a whole, and a way to get the part out.
    ///
    /// A change takes the part out, lets go of the whole, changes the part, and embeds it again: a collection inside is
    /// not copied if nobody else holds it.
    ///
    /// ```swift
    /// let child = Prism<Parent, Child>(
    ///     embed: { .child($0) },
    ///     extract: { if case .child(let child) = $0 { child } else { nil } }
    /// )
    /// ```
    @inlinable
    public init(embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?) {
        self.init(
            embed: embed,
            extract: extract,
            modify: { whole, change in
                guard var part = extract(whole) else { return }
                _ = consume whole
                change(&part)
                whole = embed(part)
            }
        )
    }

    /// The same in one line, for a case of an enum.
    ///
    /// ```swift
    /// let child = Prism(Parent.child) { if case .child(let child) = $0 { child } else { nil } }
    /// ```
    @inlinable
    public init(_ embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?) {
        self.init(embed: embed, extract: extract)
    }

    /// A whole made of `part`.
    @inlinable
    public func embed(_ part: Part) -> Whole {
        build(part)
    }

    /// The part of `whole`, or `nil` where `whole` is something else.
    @inlinable
    public func extract(_ whole: Whole) -> Part? {
        guard let reader else { return read(whole) }
        // `read` keeps the reader alive. Without this the optimizer may release it before the call, as nothing here
        // uses it any more.
        return withExtendedLifetime(read) { reader.extract(whole) }
    }

    /// Whether `whole` has the part.
    @inlinable
    public func matches(_ whole: Whole) -> Bool {
        extract(whole) != nil
    }

    /// The part of `whole`, or `whole` back where it is something else.
    @inlinable
    public func getOrModify(_ whole: Whole) -> Matching<Whole, Part> {
        extract(whole).map(Matching.matched) ?? .unmatched(whole)
    }

    /// Replaces the part of `whole`, in place, if there is one; returns whether there was.
    ///
    /// To make a whole whatever it was before, use ``embed(_:)``.
    @inlinable
    @discardableResult
    public func set(_ whole: inout Whole, _ part: Part) -> Bool {
        modify(&whole) { $0 = part } != nil
    }

    /// `whole` with another part; `whole` as it is where it is something else.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Changes the part of `whole` in place, and returns what `change` returns; `nil` where `whole` is something else.
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

    /// `whole` with its part changed; `whole` as it is where it is something else. An error of `change` is thrown on.
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
    public subscript<Next>(
        dynamicMember path: any WritableKeyPath<Part, Next> & Sendable
    ) -> Affine<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Prism where Whole == Part {
    /// The prism whose part is the whole: neutral for `appending`, on either side.
    @inlinable
    public static var identity: Prism<Whole, Whole> {
        Iso.identity.asPrism
    }
}
