import ArchitectureEngine
import FunctionalCore
public import Optics

/// The place of a child in a state: of an optional part, a case or a row. An emission of a child has the child's place.
///
/// A place is not a child. `find(in:)` finds the child that is there at one moment, and `Lifetimes` ends the work of a
/// child that is no longer there.
///
/// A base class and not a protocol, because each copy of an `any ChildPlace<Whole>` would look up metadata.
///
/// Unchecked: the classes have only constants, which are `Sendable`.
@usableFromInline
class ChildPlace<Whole>: @unchecked Sendable {
    /// The keys of the place, from the outermost level to the innermost. Different places have different keys.
    var keys: [ChildKey] { [] }
    /// The number of keys, from the innermost level outward, that do not restrict the changes of the emission.
    ///
    /// It is 0 for a change of the child, which leaves everything outside of the child as it is. `onChange` and
    /// `handleError` add changes of their own level.
    var openKeyCount: Int { 0 }
    /// Whether the place is that of one child alone, which has ended.
    @usableFromInline var hasEnded: Bool { false }
    /// Returns a function that tells whether a later state contains the child that `whole` contains. Returns `nil` if
    /// `whole` contains no child in this place.
    func find(in whole: Whole) -> Presence<Whole>? { nil }
}

/// One level of a place: that of an optic, of a list, or of a row in a list.
struct ChildKey: Hashable, Sendable {
    let key: AnyKey
    /// Whether the key is the id of a row. A change of one row leaves the other rows of the list as they are.
    var isRow = false
}

/// A function that tells whether a state contains a certain child.
///
/// Only the draining thread calls it.
@usableFromInline
typealias Presence<Whole> = (Whole) -> Bool

/// How to find a child again.
@usableFromInline
struct ChildReader<Whole, Part> {
    @usableFromInline let isPresent: Presence<Whole>
    /// Returns the child, or `nil` if it is no longer there.
    @usableFromInline let read: (Whole) -> Part?

    @usableFromInline
    init(isPresent: @escaping Presence<Whole>, read: @escaping (Whole) -> Part?) {
        self.isPresent = isPresent
        self.read = read
    }
}

/// The place of a part in a whole, which turns places in the part into places in the whole.
@usableFromInline
class EnclosingPlace<Part, Whole>: ChildPlace<Whole>, @unchecked Sendable {
    /// Whether the part is a child itself. The part of a lens is none.
    @usableFromInline final let isChild: Bool

    init(isChild: Bool) {
        self.isChild = isChild
    }

    /// Returns the place in the whole of what is at `inner` in the part.
    @usableFromInline
    func containing(_ inner: ChildPlace<Part>) -> ChildPlace<Whole> { self }

    /// Calls `perform` with an emission and with the place in the whole of what is at `inner` in the part.
    // Most emissions have no place, so nothing is retained for them.
    @inlinable
    @inline(__always)
    final func pass<Environment>(
        _ emission: Emission<Environment, Whole>, of inner: ChildPlace<Part>?,
        to perform: (Emission<Environment, Whole>, ChildPlace<Whole>?) -> Void
    ) {
        if inner == nil, !isChild { perform(emission, nil) } else { perform(emission, lift(inner)) }
    }

    // Inlined, because most emissions have no place, and unspecialized code looks up metadata.
    @inlinable
    @inline(__always)
    final func lift(_ inner: ChildPlace<Part>?) -> ChildPlace<Whole>? {
        if let inner { containing(inner) } else if isChild { self } else { nil }
    }
}

/// The place of an optional part or of a case, or a place within the part of a lens.
final class PartPlace<Part, Whole>: EnclosingPlace<Part, Whole>, @unchecked Sendable {
    private let key: ChildKey
    private let read: @Sendable (Whole) -> Part?
    private let inner: ChildPlace<Part>?

    init(key: ChildKey, isChild: Bool, read: @escaping @Sendable (Whole) -> Part?, inner: ChildPlace<Part>? = nil) {
        self.key = key
        self.read = read
        self.inner = inner
        super.init(isChild: isChild)
    }

    override func containing(_ inner: ChildPlace<Part>) -> ChildPlace<Whole> {
        PartPlace(key: key, isChild: isChild, read: read, inner: inner)
    }

    override var keys: [ChildKey] { [key] + (inner?.keys ?? []) }
    override var openKeyCount: Int { inner?.openKeyCount ?? 0 }

    override func find(in whole: Whole) -> Presence<Whole>? {
        guard let part = read(whole) else { return nil }
        let (read, isSame) = (read, isChild ? sameIdentity(as: part) : nil)
        let reader = ChildReader<Whole, Part>(
            isPresent: { whole in
                guard let part = read(whole) else { return false }
                return isSame?(part) ?? true
            },
            read: { whole in
                guard let part = read(whole), isSame?(part) ?? true else { return nil }
                return part
            })
        guard let inner else { return reader.isPresent }
        return reader.presence(of: inner, in: part)
    }
}

/// The place of a row.
@usableFromInline
final class RowPlace<Whole, Row, ID: Hashable & Sendable>: EnclosingPlace<Row, Whole>, @unchecked Sendable {
    private let list: RowList<Whole, Row, ID>
    private let id: ID
    private let inner: ChildPlace<Row>?

    @usableFromInline
    init(_ list: RowList<Whole, Row, ID>, _ id: ID, inner: ChildPlace<Row>? = nil) {
        self.list = list
        self.id = id
        self.inner = inner
        super.init(isChild: true)
    }

    override func containing(_ inner: ChildPlace<Row>) -> ChildPlace<Whole> { RowPlace(list, id, inner: inner) }

    override var keys: [ChildKey] {
        [ChildKey(key: list.key), ChildKey(key: AnyKey(id), isRow: true)] + (inner?.keys ?? [])
    }
    override var openKeyCount: Int { inner?.openKeyCount ?? 0 }

    override func find(in whole: Whole) -> Presence<Whole>? {
        guard let reader = list.find(id, whole) else { return nil }
        guard let inner else { return reader.isPresent }
        guard let row = reader.read(whole) else { return nil }
        return reader.presence(of: inner, in: row)
    }
}

/// The rows to which a `forEach` applies.
@usableFromInline
final class RowList<Whole, Row, ID>: Sendable {
    let key: AnyKey
    let find: @Sendable (ID, Whole) -> ChildReader<Whole, Row>?

    @usableFromInline
    init(key: AnyKey, find: @escaping @Sendable (ID, Whole) -> ChildReader<Whole, Row>?) {
        self.key = key
        self.find = find
    }
}

/// The place of a child whose emission also changes what contains the child; see `ChildPlace.openKeyCount`.
@usableFromInline
final class OpenPlace<Whole>: EnclosingPlace<Whole, Whole>, @unchecked Sendable {
    private let place: ChildPlace<Whole>?

    /// Creates the place of `place`, or an object that only lifts places.
    @usableFromInline
    init(_ place: ChildPlace<Whole>? = nil) {
        self.place = place
        super.init(isChild: false)
    }

    override func containing(_ inner: ChildPlace<Whole>) -> ChildPlace<Whole> { OpenPlace(inner) }

    override var keys: [ChildKey] { place?.keys ?? [] }
    override var openKeyCount: Int { keys.count }

    override func find(in whole: Whole) -> Presence<Whole>? { place?.find(in: whole) }
}

/// The place of a state in itself, which leaves places as they are.
@usableFromInline
final class SamePlace<Whole>: EnclosingPlace<Whole, Whole>, @unchecked Sendable {
    @usableFromInline
    init() {
        super.init(isChild: false)
    }

    override func containing(_ inner: ChildPlace<Whole>) -> ChildPlace<Whole> { inner }
}

extension ChildReader {
    /// Creates a reader of the part that `read` finds, or returns `nil` if `whole` has none.
    @inlinable
    init?(in whole: Whole, read: @escaping (Whole) -> Part?) {
        if read(whole) == nil { return nil }
        self.init(isPresent: { read($0) != nil }, read: read)
    }

    /// Creates a reader of the first row for which `isRow` returns `true`, or returns `nil` if there is none.
    ///
    /// Mostly the row is where it was last, or near, so it is found in O(1) then, and otherwise in O(n).
    @inlinable
    init?(in rows: Whole, isRow: @escaping (Part) -> Bool) where Whole: Collection, Part == Whole.Element {
        guard let first = rows.firstIndex(where: isRow) else { return nil }
        let cursor = RowCursor<Whole>(first)
        self.init(
            isPresent: { cursor.find(in: $0, isRow) != nil },
            read: { rows in cursor.find(in: rows, isRow).map { rows[$0] } })
    }

    /// Returns a reader of this child in what contains the whole.
    @inlinable
    func within<Larger>(_ extract: @escaping (Larger) -> Whole?) -> ChildReader<Larger, Part> {
        let (isPresent, read) = (isPresent, read)
        return ChildReader<Larger, Part>(
            isPresent: { extract($0).map(isPresent) ?? false }, read: { extract($0).flatMap(read) })
    }

    /// Returns a function that tells whether a whole contains this child, and in it the child that `part` has at
    /// `inner`. Returns `nil` if `part` has no child there.
    func presence(of inner: ChildPlace<Part>, in part: Part) -> Presence<Whole>? {
        guard let isInnerPresent = inner.find(in: part) else { return nil }
        return { [read] whole in
            guard let part = read(whole) else { return false }
            return isInnerPresent(part)
        }
    }
}

/// The index at which a row was found last. Only the draining thread uses it.
@usableFromInline
final class RowCursor<Rows: Collection> {
    @usableFromInline var index: Rows.Index

    @inlinable
    init(_ index: Rows.Index) {
        self.index = index
    }

    /// Returns the index of the row for which `isRow` returns `true`. Begins where it was found last, if the indices
    /// are a range of integers.
    @inlinable
    func find(in rows: Rows, _ isRow: (Rows.Element) -> Bool) -> Rows.Index? {
        guard let indices = rows.indices as? Range<Int>, let last = index as? Int else {
            return rows.firstIndex(where: isRow)
        }
        let start = max(indices.lowerBound, min(last + 1, indices.upperBound))
        var (down, up) = (start - 1, start)
        while down >= indices.lowerBound || up < indices.upperBound {
            if down >= indices.lowerBound {
                if matches(rows, at: down, isRow) { return index }
                down -= 1
            }
            if up < indices.upperBound {
                if matches(rows, at: up, isRow) { return index }
                up += 1
            }
        }
        return nil
    }

    @inlinable
    @inline(__always)
    func matches(_ rows: Rows, at place: Int, _ isRow: (Rows.Element) -> Bool) -> Bool {
        guard let place = place as? Rows.Index, isRow(rows[place]) else { return false }
        index = place
        return true
    }
}

extension AffineProtocol {
    /// The place of this optic's part. The part is a child, unless the optic is a lens.
    @usableFromInline
    var partPlace: EnclosingPlace<Part, Whole> {
        let affine = asAffine
        return PartPlace(
            key: ChildKey(key: AnyKey(ScopeID())), isChild: !(self is any LensProtocol), read: { affine.extract($0) })
    }
}
