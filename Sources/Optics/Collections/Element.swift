extension Affine
where Whole: MutableCollection & SendableMetatype, Whole.Index: SendableMetatype, Part == Whole.Element {
    /// The first element of a collection whose value at `path` is `id`; where there is none, nothing matches.
    ///
    /// In place; finding it costs O(the number of elements). A change must keep the id, or the laws would not hold and
    /// the element would be lost to whoever knows it by that id: one that does not stops the process with a message.
    ///
    /// ```swift
    /// let ann = Affine<[Person], Person>.element(id: "ann", by: \.login)
    /// ```
    @inlinable
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

    /// The first element of a collection that has this id; where there is none, nothing matches.
    ///
    /// In place; finding it costs O(the number of elements). A change must keep the id: one that does not stops the
    /// process with a message.
    ///
    /// ```swift
    /// let row = Affine<[Row], Row>.element(id: 7)
    /// ```
    @inlinable
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

extension AffineConvertible where Part: MutableCollection & SendableMetatype, Part.Index: SendableMetatype {
    /// The first element with this id in the collection this optic leads to; see ``Affine/element(id:)``.
    @inlinable
    public func element(id: Part.Element.ID) -> Affine<Whole, Part.Element>
    where Part.Element: Identifiable & SendableMetatype, Part.Element.ID: Sendable {
        appending(Affine<Part, Part.Element>.element(id: id))
    }

    /// The first element whose value at `path` is `id`, in the collection this optic leads to; see
    /// ``Affine/element(id:by:)``.
    @inlinable
    public func element<ID: Equatable & Sendable>(
        id: ID,
        by path: any KeyPath<Part.Element, ID> & Sendable
    ) -> Affine<Whole, Part.Element> {
        appending(Affine<Part, Part.Element>.element(id: id, by: path))
    }
}

@usableFromInline
func idChanged(_ element: Any.Type, from old: Any, to new: Any) -> Never {
    programmerError(
        "A change through element(id:) gave the \(element) with the id \(old) another id, \(new).",
        toFix: "keep the id in the change, and replace elements through a lens to the collection."
    )
}
