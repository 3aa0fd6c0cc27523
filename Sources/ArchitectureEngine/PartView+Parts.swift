public import FunctionalCore
public import Optics

extension PartView {
    /// Returns a view of the part at a key path.
    @inlinable
    package func part<Value: Sendable>(
        at path: any KeyPath<Part, Value> & Sendable, by isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> PartView<Value> {
        let part = StatePart(path)
        return PartView<Value>(
            queue: queue, observation: observation, read: { [read] in read()[keyPath: path] }, isSame: isSame,
            isPresent: isPresent, changeCount: changeCount,
            attach: { [attach] observer in attach(observer.on(part)) })
    }

    /// Returns a view of the part that `find` finds, or `nil` if the part is absent now. `withObservationTracking`
    /// tracks whether it is present.
    @inlinable
    package func presentPart<Value: Equatable & Sendable>(
        _ find: @escaping @Sendable (Part) -> Value?
    ) -> PartView<Value>? {
        let isPresent = observation.read(part: presence(of: find), by: ==)
        guard isPresent, let first = Self.found(in: read, by: find) else { return nil }
        guard let isSame = sameIdentity(as: first) else { return part(find, first: first) }
        return part({ whole in find(whole).flatMap { isSame($0) ? $0 : nil } }, first: first)
    }

    @inlinable
    func presence<Value>(of find: @escaping @Sendable (Part) -> Value?) -> @Sendable () -> Bool {
        { [isPresent, read] in isPresent?() != false && Self.found(in: read, by: find) != nil }
    }

    /// Returns the part that `find` finds now. Not inlined, so that a caller's stack frame contains no whole.
    @inlinable
    @inline(never)
    static func found<Value>(in read: () -> Part, by find: (Part) -> Value?) -> Value? { find(read()) }

    /// Returns a view of the part that `find` finds, and that may be absent later. `first` is its value now.
    ///
    /// While the part is absent, observers are not notified, and a read returns the value that was read or observed
    /// last. An observer that is registered meanwhile is notified of this value at once.
    @inlinable
    package func part<Value: Equatable & Sendable>(
        _ find: @escaping @Sendable (Part) -> Value?, first: Value
    ) -> PartView<Value> {
        let last = Locked(first)
        let keep: @Sendable (Value) -> Void = { value in
            // The earlier value is released outside of the lock.
            var earlier = value
            last.withLock { swap(&$0, &earlier) }
        }
        return PartView<Value>(
            queue: queue, observation: observation,
            read: { [read] in
                guard let value = find(read()) else { return last.withLock { $0 } }
                keep(value)
                return value
            },
            isSame: ==, isPresent: presence(of: find), changeCount: changeCount,
            attach: { [attach] observer in
                var isRegistered = false
                return attach(
                    Observer(observer.cancellation) { [accept = observer.accept] whole in
                        let found = find(whole.value)
                        if let found { keep(found) }
                        // The first value is the one at the registration.
                        let part = found ?? (isRegistered ? nil : last.withLock { $0 })
                        isRegistered = true
                        if let part { Borrowed.with(part, accept) }
                    })
            })
    }
}

extension PartView
where Part: RandomAccessCollection, Part.Element: Identifiable & Sendable, Part.Element.ID: Sendable {
    /// Returns what `make` returns for each row. `make` is called when an element is accessed, with the row, and with a
    /// function that finds the row in a later collection.
    ///
    /// `isSame` of this view must be `hasSameIDs(as:)`. The code that calls this then tracks the ids, and no row.
    @inlinable
    package func rows<Made>(
        _ make: @escaping (Part.Element, @escaping @Sendable (Part) -> Part.Element?) -> Made
    ) -> RowScopes<Made> {
        let rows = value
        let index = RowIndex(read: read, changeCount: changeCount)
        return RowScopes(count: rows.count) { place in
            let row = rows[rows.index(rows.startIndex, offsetBy: place)]
            // Captures no rows, because the next change would have to copy them.
            return make(row) { [id = row.id] rows in index.row(id, near: place, in: rows) }
        }
    }
}

extension RandomAccessCollection where Element: Identifiable {
    /// Whether this collection and `other` have the same ids in the same order.
    @inlinable
    package func hasSameIDs(as other: Self) -> Bool {
        if count != other.count { return false }
        // Rows that are next to each other are compared in place. Otherwise each comparison would copy two rows.
        let isSame = withContiguousStorageIfAvailable { own in
            other.withContiguousStorageIfAvailable { others in
                unsafe own.baseAddress == others.baseAddress
                    || (0..<own.count).allSatisfy { unsafe own[$0].id == others[$0].id }
            }
        }
        return (isSame ?? nil) ?? elementsEqual(other) { $0.id == $1.id }
    }
}
