/// An optic that can be used as a lens: ``Lens`` or ``Iso``.
///
/// Use it to accept both kinds: a function with a parameter of type `some LensProtocol<Whole, Part>` takes either of
/// them. Other types should not conform to it.
public protocol LensProtocol<Whole, Part>: AffineProtocol {
    /// This optic as a lens.
    var asLens: Lens<Whole, Part> { get }
}

extension LensProtocol {
    /// Replaces the part of `whole` by `part`, in place.
    @_alwaysEmitIntoClient
    public func set(_ whole: inout Whole, _ part: Part) {
        asLens.update(&whole) { $0 = part }
    }

    /// Returns a copy of `whole` whose part is `part`.
    @_alwaysEmitIntoClient
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Updates the part of `whole` in place, and returns the result of `change`.
    ///
    /// `change` is called exactly once. If it throws, the part keeps the changes made before the error. An iso converts
    /// `whole` to its part, updates the part, and converts it back.
    ///
    /// ```swift
    /// let removed = items.modify(&app) { $0.removeLast() }
    /// ```
    ///
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    @discardableResult
    public func modify<Output, Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        if let output = try runInPlace(asLens.update, &whole, change) { return output }
        return try partNeverPassed(asLens, whole, change)
    }

    /// Returns a copy of `whole` with its part updated by `change`.
    ///
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// Returns a lens to the part of `next` within the part of this optic.
    ///
    /// A read or an update passes through this optic and then through `next`. An update is in place if both optics
    /// update in place.
    ///
    /// ```swift
    /// let title = Lens(\App.screen).appending(Lens(\Screen.title))
    /// ```
    @_alwaysEmitIntoClient
    public func appending<Next>(_ next: some LensProtocol<Part, Next>) -> Lens<Whole, Next> {
        let (outer, inner) = (asLens, next.asLens)
        if let first = outer.path, let second = inner.path { return Lens(first.appending(second)) }
        // The closures capture functions and not lenses, so that the optimizer can inline and merge them.
        let (readOuter, readInner) = (outer.read, inner.read)
        let (updateOuter, updateInner) = (outer.update, inner.update)
        return Lens(
            get: { readInner(readOuter($0)) },
            modify: { whole, change in updateOuter(&whole) { updateInner(&$0, change) } }
        )
    }
}

extension Lens: LensProtocol {
    /// This lens.
    @_alwaysEmitIntoClient
    public var asLens: Lens<Whole, Part> { self }

    /// This lens as an affine that matches every whole.
    @_alwaysEmitIntoClient
    public var asAffine: Affine<Whole, Part> {
        Affine(extract: read, modify: update)
    }
}
