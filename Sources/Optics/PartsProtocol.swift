public import FunctionalCore

/// An optic that reads any number of parts: ``Fold`` or ``Traversal``.
///
/// It has the operations that read the parts. To use them with another optic, write `asFold` or `asTraversal` first:
/// ``Lens``, ``Affine`` and ``Prism`` do not have these operations, so that `count` and `first` can be properties of
/// their parts. Other types should not conform to it.
public protocol PartsProtocol<Whole, Part>: FoldProtocol {}

extension PartsProtocol {
    /// Returns all parts of `whole`, in order.
    @_alwaysEmitIntoClient
    public func getAll(_ whole: Whole) -> [Part] {
        var parts: [Part] = []
        asFold.forEach(whole) { part in
            parts.append(part)
            return true
        }
        return parts
    }

    /// Returns the first part of `whole`, or `nil` if `whole` has no parts.
    ///
    /// It does not visit the other parts.
    @_alwaysEmitIntoClient
    public func first(_ whole: Whole) -> Part? {
        var found: Part?
        asFold.forEach(whole) { part in
            if found == nil { found = part }
            return false
        }
        return found
    }

    /// Returns the number of parts of `whole`.
    ///
    /// - Complexity: O(n) in the number of parts.
    @_alwaysEmitIntoClient
    public func count(_ whole: Whole) -> Int {
        var count = 0
        asFold.forEach(whole) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns whether `whole` has no parts.
    ///
    /// It visits at most one part.
    @_alwaysEmitIntoClient
    public func isEmpty(_ whole: Whole) -> Bool {
        !contains(whole) { _ in true }
    }

    /// Returns whether at least one part of `whole` satisfies `condition`.
    ///
    /// It stops at the first part that does.
    ///
    /// - Throws: The error that `condition` throws. After an error, no further part is visited.
    @_alwaysEmitIntoClient
    public func contains<Failure: Error>(
        _ whole: Whole,
        where condition: (Part) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var outcome: Result<Bool, Failure>?
        asFold.forEach(whole) { part in
            // A visit that goes on after `false` does not change the answer.
            guard outcome == nil else { return false }
            do throws(Failure) {
                guard try condition(part) else { return true }
                outcome = .success(true)
            } catch {
                outcome = .failure(error)
            }
            return false
        }
        return try outcome?.get() ?? false
    }

    /// Returns whether all parts of `whole` satisfy `condition`.
    ///
    /// Returns `true` if there are no parts. It stops at the first part that does not satisfy `condition`.
    ///
    /// - Throws: The error that `condition` throws. After an error, no further part is visited.
    @_alwaysEmitIntoClient
    public func allSatisfy<Failure: Error>(
        _ whole: Whole,
        _ condition: (Part) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        try !contains(whole) { part throws(Failure) in try !condition(part) }
    }

    /// Returns the first part of `whole` that satisfies `condition`, or `nil` if no part does.
    ///
    /// It does not visit the parts after the part that it returns. Other libraries call this operation `find`.
    ///
    /// - Throws: The error that `condition` throws. After an error, no further part is visited.
    @_alwaysEmitIntoClient
    public func first<Failure: Error>(
        _ whole: Whole,
        where condition: (Part) throws(Failure) -> Bool
    ) throws(Failure) -> Part? {
        var found: Part?
        _ = try contains(whole) { part throws(Failure) in
            guard try condition(part) else { return false }
            found = part
            return true
        }
        return found
    }

    /// Returns the last part of `whole`, or `nil` if `whole` has no parts.
    ///
    /// - Complexity: O(n) in the number of parts.
    @_alwaysEmitIntoClient
    public func last(_ whole: Whole) -> Part? {
        reduce(whole, into: nil) { $0 = $1 }
    }

    /// Returns the result of combining the parts of `whole` with `update`, in order.
    ///
    /// It is the `reduce(into:_:)` of the standard library, and a left fold.
    ///
    /// ```swift
    /// let total = prices.reduce(shop, into: 0) { $0 += $1 }
    /// ```
    ///
    /// - Throws: The error that `update` throws. After an error, no further part is visited.
    @_alwaysEmitIntoClient
    public func reduce<Output, Failure: Error>(
        _ whole: Whole,
        into initial: Output,
        _ update: (inout Output, Part) throws(Failure) -> Void
    ) throws(Failure) -> Output {
        var output = initial
        _ = try allSatisfy(whole) { part throws(Failure) in
            try update(&output, part)
            return true
        }
        return output
    }

    /// Returns the values of `transform` for the parts of `whole`, combined in order.
    ///
    /// It returns `empty` if there are no parts. To collect the parts in an array, use ``getAll(_:)``, which takes
    /// linear time. If `Value` is an array, each call of `combine` copies the elements of all earlier parts.
    ///
    /// ```swift
    /// let stock = warehouses.foldMap(company) { $0.stock }  // [String: Pieces], combined by key
    /// ```
    ///
    /// - Complexity: One call of `transform` and one of `combine` for each part.
    /// - Throws: The error that `transform` throws. After an error, no further part is visited.
    @_alwaysEmitIntoClient
    public func foldMap<Value: Monoid, Failure: Error>(
        _ whole: Whole,
        _ transform: (Part) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try reduce(whole, into: .empty) { value, part throws(Failure) in value = value.combine(try transform(part)) }
    }

    /// Returns a fold of the parts that satisfy `condition`.
    ///
    /// The result is a fold even if this optic is a traversal. A traversal of these parts would break the laws of
    /// ``Traversal``: an update could make a part no longer satisfy `condition`. To update some of the parts, test the
    /// condition within the change:
    ///
    /// ```swift
    /// let tasks = Lens(\List.tasks).each
    /// let open = tasks.filter { !$0.isDone }.count(list)
    /// tasks.modify(&list) { if $0.isDone { $0.isArchived = true } }
    /// ```
    @_alwaysEmitIntoClient
    public func filter(_ condition: @escaping @Sendable (Part) -> Bool) -> Fold<Whole, Part> {
        let visitAll = asFold.forEach
        return Fold(visit: { whole, visit in visitAll(whole) { part in condition(part) ? visit(part) : true } })
    }
}
