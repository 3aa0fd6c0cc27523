import FunctionalCore

extension Affine
where Whole: MutableCollection & SendableMetatype, Whole.Index: SendableMetatype, Part == Whole.Element {
    /// Returns an affine to a collection's first element whose value at `path` equals `id`.
    ///
    /// It does not match if there is no such element. An update changes the element in place.
    ///
    /// An update that changes the id traps, because the affine could no longer find the element. The laws of ``Affine``
    /// would not hold for such an update.
    ///
    /// ```swift
    /// let ann = Affine<[Person], Person>.element(id: "ann", by: \.login)
    /// ```
    ///
    /// - Complexity: O(n) in the number of elements.
    @_alwaysEmitIntoClient
    public static func element<ID: Equatable & Sendable>(
        id: ID,
        by path: any KeyPath<Part, ID> & Sendable
    ) -> Affine {
        Affine(
            extract: { whole in whole.firstIndex { $0[keyPath: path] == id }.map { whole[$0] } },
            modify: { whole, change in
                guard let index = whole.firstIndex(where: { $0[keyPath: path] == id }) else { return }
                change(&whole[index])
                if whole[index][keyPath: path] != id { idChanged(Part.self, from: id, to: whole[index][keyPath: path]) }
            }
        )
    }

    /// Returns an affine to a collection's first element with this id.
    ///
    /// It does not match if there is no such element. An update changes the element in place. An update that changes
    /// the id traps.
    ///
    /// ```swift
    /// let row = Affine<[Row], Row>.element(id: 7)
    /// ```
    ///
    /// - Complexity: O(n) in the number of elements.
    @_alwaysEmitIntoClient
    public static func element(id: Part.ID) -> Affine where Part: Identifiable & SendableMetatype, Part.ID: Sendable {
        Affine(
            extract: { whole in whole.firstIndex { $0.id == id }.map { whole[$0] } },
            modify: { whole, change in
                guard let index = whole.firstIndex(where: { $0.id == id }) else { return }
                change(&whole[index])
                if whole[index].id != id { idChanged(Part.self, from: id, to: whole[index].id) }
            }
        )
    }
}

extension Affine {
    /// Returns an affine to the value of a dictionary for the key `id`.
    ///
    /// It does not match if there is no such value. An update changes the value in place, and neither adds nor removes
    /// values; see ``Lens/at(_:)`` for that.
    ///
    /// ```swift
    /// let ann = Affine<[String: User], User>.element(id: "ann")
    /// ```
    ///
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    public static func element<ID: Hashable & Sendable>(id: ID) -> Affine where Whole == [ID: Part] {
        Lens<[ID: Part], Part?>.at(id).some()
    }
}

extension AffineProtocol {
    /// Returns an affine to the value for the key `id` in the dictionary that is this optic's part; see
    /// ``Affine/element(id:)-(ID)``.
    ///
    /// - Complexity: O(1).
    @_alwaysEmitIntoClient
    public func element<ID: Hashable & Sendable, Value>(id: ID) -> Affine<Whole, Value> where Part == [ID: Value] {
        appending(Affine<[ID: Value], Value>.element(id: id))
    }
}

extension AffineProtocol where Part: MutableCollection & SendableMetatype, Part.Index: SendableMetatype {
    /// Returns an affine to the first element with this id in the collection that is this optic's part.
    ///
    /// An update that changes the id traps; see ``Affine/element(id:)-(Part.ID)``.
    ///
    /// - Complexity: O(n) in the number of elements.
    @_alwaysEmitIntoClient
    public func element(id: Part.Element.ID) -> Affine<Whole, Part.Element>
    where Part.Element: Identifiable & SendableMetatype, Part.Element.ID: Sendable {
        appending(Affine<Part, Part.Element>.element(id: id))
    }

    /// Returns an affine to the first element whose value at `path` equals `id`, in the collection that is this optic's
    /// part.
    ///
    /// An update that changes the id traps; see ``Affine/element(id:by:)``.
    ///
    /// - Complexity: O(n) in the number of elements.
    @_alwaysEmitIntoClient
    public func element<ID: Equatable & Sendable>(
        id: ID,
        by path: any KeyPath<Part.Element, ID> & Sendable
    ) -> Affine<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.element(id: id, by: path))
    }
}

@usableFromInline
func idChanged(_ element: Any.Type, from old: Any, to new: Any) {
    recoverableError(
        """
        A change through element(id:) changed the id of a \(element) from \(old) to \(new). \
        To fix, keep the id in the change, or replace the element through a lens to the collection.
        """
    )
}
