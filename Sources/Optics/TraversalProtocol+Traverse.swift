public import FunctionalCore

// MARK: - Changing the parts with effects

extension TraversalProtocol where Whole: Sendable, Part: Sendable {
    /// Returns a program that replaces each part of `whole` by the value of a program, one after the other.
    ///
    /// The program succeeds with a changed copy of `whole`. It does what `traverse` of a sequence does, for the parts
    /// of any optic. Monocle calls this operation `modifyA`, and Bow calls it `modifyF`.
    ///
    /// ```swift
    /// let synced = Lens(\Album.photos).each.traverse(album) { photo in upload(photo) }
    /// ```
    ///
    /// The parts are read once, when the program is created. The run calls `program` for a part when the program of the
    /// previous part has ended. If one program fails or ends as cancelled, the whole program ends in the same way, and
    /// the remaining programs do not start. The copy is made after the last program, so there are no partial changes.
    ///
    /// The programs are steps of the run: they need no task, and constant stack space. If there are no parts, the
    /// program succeeds with `whole`.
    ///
    /// The run traps if an update of the optic does not visit as many parts as a read.
    ///
    /// - Complexity: O(n) in the number of parts. `whole` is copied at most once in each run.
    @_alwaysEmitIntoClient
    public func traverse<Environment, Failure: Error>(
        _ whole: Whole,
        _ program: @escaping @Sendable (Part) -> EnvIO<Environment, Failure, Part>
    ) -> EnvIO<Environment, Failure, Whole> {
        let traversal = asTraversal
        return traversal.getAll(whole).traverse(program).map { parts in traversal.replacing(partsOf: whole, by: parts) }
    }

    /// Returns a program that replaces each part of `whole` by the value of a program, several at once.
    ///
    /// The program succeeds with a changed copy of `whole`. It does what `parTraverse` of a sequence does, for the
    /// parts of any optic: if one program fails or ends as cancelled, the other programs are cancelled, and the whole
    /// program ends in the same way. In all other respects it behaves like ``traverse(_:_:)``. Monocle calls this
    /// operation `parModifyF`.
    ///
    /// ```swift
    /// let synced = Lens(\Album.photos).each.parTraverse(album, limit: 4) { photo in upload(photo) }
    /// ```
    ///
    /// The call traps if `limit` is less than 1.
    ///
    /// - Parameters:
    ///   - whole: The value whose parts are replaced.
    ///   - limit: The largest number of programs that run at once. If it is `nil`, each part has a task of its own.
    ///   - program: Returns the program for a part.
    @_alwaysEmitIntoClient
    public func parTraverse<Environment: Sendable, Failure: Error>(
        _ whole: Whole,
        limit: Int? = nil,
        _ program: @escaping @Sendable (Part) -> EnvIO<Environment, Failure, Part>
    ) -> EnvIO<Environment, Failure, Whole> {
        let traversal = asTraversal
        return traversal.getAll(whole).parTraverse(limit: limit, program)
            .map { parts in traversal.replacing(partsOf: whole, by: parts) }
    }
}

extension TraversalProtocol {
    /// Returns a copy of `whole` with each part replaced by the result of an `async` closure, one after the other.
    ///
    /// ```swift
    /// let converted = try await prices.traverse(shop) { try await rates.convert($0) }
    /// ```
    ///
    /// This function and `change` run in the caller's isolation. The next part is changed when `change` has returned
    /// for the previous part. If `change` throws, the remaining parts are not changed, and there is no copy. This
    /// function does not check for cancellation. To stop when the task is cancelled, throw an error in `change`, for
    /// example with `try Task.checkCancellation()`.
    ///
    /// The call traps if an update of the optic does not visit as many parts as a read.
    ///
    /// - Complexity: O(n) in the number of parts. `whole` is copied at most once.
    /// - Throws: The error that `change` throws.
    @_alwaysEmitIntoClient
    public func traverse<Failure: Error>(
        _ whole: Whole,
        isolation: isolated (any Actor)? = #isolation,
        _ change: nonisolated(nonsending) (Part) async throws(Failure) -> Part
    ) async throws(Failure) -> Whole {
        let traversal = asTraversal
        var parts = traversal.getAll(whole)
        for index in parts.indices {
            parts[index] = try await change(parts[index])
        }
        return traversal.replacing(partsOf: whole, by: parts)
    }
}

extension Traversal {
    /// Returns a copy of `whole` with its parts replaced by `parts`, in order. Traps if the update does not visit as
    /// many parts as `parts` contains.
    @inlinable
    func replacing(partsOf whole: Whole, by parts: [Part]) -> Whole {
        var whole = whole
        var visited = 0
        update(&whole) { part in
            if visited < parts.count { part = parts[visited] }
            visited += 1
        }
        if visited != parts.count { partsDiffer(Traversal.self, read: parts.count, updated: visited) }
        return whole
    }
}

@usableFromInline
func partsDiffer(_ traversal: Any.Type, read: Int, updated: Int) -> Never {
    programmerError(
        """
        traverse of a \(traversal) read \(read) parts, but its update visited \(updated). \
        To fix, let the closures for visiting and modifying pass the same parts in the same order. \
        TraversalLaw in FunctionalLaws tests this.
        """
    )
}
