/// An accessor for one alternative of a whole, such as one case of an enum.
///
/// A whole matches the prism if it is this alternative. The prism extracts the part of a whole that matches, and
/// updates the part in place. It also creates a whole from a part.
///
/// ```swift
/// let child = Prism(Parent.child) { if case .child(let child) = $0 { child } else { nil } }
/// child.embed(Child())       // Parent.child(Child())
/// child.extract(.somethingElse)  // nil
/// child.modify(&parent) { $0.count += 1 }
/// ```
///
/// ``AutoPrism`` creates a prism from the name of a case, without closures.
///
/// A prism stores neither a whole nor a part. It is `Sendable`. Its operations run on the caller's thread. They access
/// only their arguments.
///
/// A prism must satisfy two laws, which come from Monocle and Bow. `PrismLaw` in `FunctionalLaws` tests them.
///
/// - Embedding a part and then extracting it returns that part.
/// - Embedding a part that was extracted returns the whole it was extracted from.
///
/// A prism has the members of its part, as affines: if `screen` is a prism whose part has a property `title`, then
/// `screen.title` is an ``Affine`` to that property.
@frozen
@dynamicMemberLookup
public struct Prism<Whole, Part>: Sendable {
    @usableFromInline let build: @Sendable (Part) -> Whole
    @usableFromInline let read: @Sendable (Whole) -> Part?
    @usableFromInline let update: InPlaceUpdate<Whole, Part>
    /// The reader of the case, or `nil` if the prism was not created from a case. `extract` calls it instead of `read`,
    /// which saves a copy of the value.
    ///
    /// The reader is not retained here, because the closure `read` retains it.
    @usableFromInline let reader: UnretainedReader<Whole, Part>?
    /// The cases that the prism may match, or `nil` if the prism was not created from a case. A composition of prisms
    /// has the routing of its outer prism.
    @usableFromInline package let routing: CaseRouting<Whole>?

    /// Creates a prism from functions that create a whole, extract the part, and update it in place.
    ///
    /// - Parameters:
    ///   - embed: Returns a whole with this part.
    ///   - extract: Returns the part of a whole, or `nil` if the whole does not match.
    ///   - modify: Updates the part of a whole in place. If `extract` finds a part, this function must pass the part to
    ///     its closure once. Otherwise, it must not call the closure. An update through this prism traps if the closure
    ///     is called twice. If the closure is not called, ``modify(_:_:)`` returns `nil`, and ``set(_:_:)`` returns
    ///     `false`.
    @_alwaysEmitIntoClient
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

    /// Creates a prism from functions that create a whole and extract the part.
    ///
    /// An update extracts the part, releases the whole, changes the part, and embeds it again. A collection in the part
    /// is copied only if something else retains it.
    ///
    /// ```swift
    /// let child = Prism<Parent, Child>(
    ///     embed: { .child($0) },
    ///     extract: { if case .child(let child) = $0 { child } else { nil } }
    /// )
    /// ```
    @_alwaysEmitIntoClient
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

    /// Creates a prism from a case of an enum and a function that extracts its payload.
    ///
    /// An update works as in ``init(embed:extract:)``.
    ///
    /// ```swift
    /// let child = Prism(Parent.child) { if case .child(let child) = $0 { child } else { nil } }
    /// ```
    @_alwaysEmitIntoClient
    public init(_ embed: @escaping @Sendable (Part) -> Whole, extract: @escaping @Sendable (Whole) -> Part?) {
        self.init(embed: embed, extract: extract)
    }

    /// Returns a whole with this part.
    @_alwaysEmitIntoClient
    public func embed(_ part: Part) -> Whole {
        build(part)
    }

    /// Returns whether `whole` matches, that is, whether it has the part.
    @_alwaysEmitIntoClient
    public func matches(_ whole: Whole) -> Bool {
        extract(whole) != nil
    }

    /// Replaces the part of `whole` in place, if `whole` matches.
    ///
    /// If `whole` does not match, it does not change. To replace a whole that does not match, assign the result of
    /// ``embed(_:)`` to it.
    ///
    /// - Returns: `true` if `whole` matched.
    @_alwaysEmitIntoClient
    @discardableResult
    public func set(_ whole: inout Whole, _ part: Part) -> Bool {
        modify(&whole) { $0 = part } != nil
    }

    /// Updates the part of `whole` in place, and returns the result of `change`.
    ///
    /// `change` is called once if `whole` matches, and not at all otherwise. If it throws, the part keeps the changes
    /// made before the error.
    ///
    /// - Returns: The result of `change`, or `nil` if `whole` does not match.
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
    public subscript<Next>(
        dynamicMember path: any WritableKeyPath<Part, Next> & Sendable
    ) -> Affine<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Prism where Whole == Part {
    /// The prism whose part is the whole.
    ///
    /// Composing it with another prism, in either order, yields a prism that behaves like the other prism.
    @_alwaysEmitIntoClient
    public static var identity: Prism<Whole, Whole> {
        Iso.identity.asPrism
    }
}
