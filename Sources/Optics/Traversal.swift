/// Any number of parts, in a fixed order: how to visit them, and how to change each where it lies.
///
/// ```swift
/// let names = Lens(\Team.members).each.name
/// names.getAll(team)                    // every name, in order
/// names.modify(&team) { $0 = $0.uppercased() }
/// ```
///
/// Pure, on the caller's thread, usable from any. Changes are made in place. A traversal must keep the laws of Monocle:
/// what is read after a change is what was read before, each changed; changing nothing changes nothing; two changes one
/// after the other are one change that does both. So no traversal offered here chooses its parts by what they hold:
/// after a change it might choose others.
@frozen
@dynamicMemberLookup
public struct Traversal<Whole, Part>: Sendable {
    @usableFromInline let forEach: @Sendable (Whole, (Part) -> Bool) -> Void
    @usableFromInline let update: InPlaceUpdate<Whole, Part>

    /// A traversal from a way to visit every part and a way to change every part in place, in the same order.
    ///
    /// - Parameters:
    ///   - visit: Hands each part to the closure it receives, until that returns `false`.
    ///   - modify: Hands each part to the closure it receives, all of them.
    ///
    /// ```swift
    /// let both = Traversal<Pair, Int>(
    ///     visit: { pair, visit in _ = visit(pair.first) && visit(pair.second) },
    ///     modify: { pair, change in
    ///         change(&pair.first)
    ///         change(&pair.second)
    ///     }
    /// )
    /// ```
    @inlinable
    public init(
        visit: @escaping @Sendable (Whole, (Part) -> Bool) -> Void,
        modify: @escaping @Sendable (inout Whole, (inout Part) -> Void) -> Void
    ) {
        self.forEach = visit
        self.update = modify
    }

    /// Every part of `whole`, in order.
    @inlinable
    public func getAll(_ whole: Whole) -> [Part] {
        var parts: [Part] = []
        forEach(whole) { part in
            parts.append(part)
            return true
        }
        return parts
    }

    /// The first part of `whole`, or `nil` where there is none. The others are not visited.
    @inlinable
    public func first(_ whole: Whole) -> Part? {
        var found: Part?
        forEach(whole) { part in
            found = part
            return false
        }
        return found
    }

    /// How many parts `whole` has. O(their number).
    @inlinable
    public func count(_ whole: Whole) -> Int {
        var count = 0
        forEach(whole) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Whether `whole` has no part at all.
    @inlinable
    public func isEmpty(_ whole: Whole) -> Bool {
        !contains(whole) { _ in true }
    }

    /// Whether some part of `whole` satisfies `condition`. Parts after the first that does are not visited.
    @inlinable
    public func contains<Failure: Error>(
        _ whole: Whole,
        where condition: (Part) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var outcome: Result<Bool, Failure> = .success(false)
        forEach(whole) { part in
            do throws(Failure) {
                guard try condition(part) else { return true }
                outcome = .success(true)
            } catch {
                outcome = .failure(error)
            }
            return false
        }
        return try outcome.get()
    }

    /// Whether every part of `whole` satisfies `condition`; `true` where there is none.
    @inlinable
    public func allSatisfy<Failure: Error>(
        _ whole: Whole,
        _ condition: (Part) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        try !contains(whole) { part throws(Failure) in try !condition(part) }
    }

    /// Replaces every part of `whole` by `part`, in place.
    @inlinable
    public func set(_ whole: inout Whole, _ part: Part) {
        update(&whole) { $0 = part }
    }

    /// `whole` with every part replaced by `part`.
    @inlinable
    public func setting(_ whole: Whole, _ part: Part) -> Whole {
        var whole = whole
        set(&whole, part)
        return whole
    }

    /// Changes every part of `whole` in place, in order.
    ///
    /// If `change` throws, the error is thrown on; the parts before keep their change, the parts after are untouched.
    @inlinable
    public func modify<Failure: Error>(
        _ whole: inout Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        update(&whole) { part in
            guard failure == nil else { return }
            do throws(Failure) {
                try change(&part)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// `whole` with every part changed. `whole` itself stays as it is; an error of `change` is thrown on.
    ///
    /// With a `change` that throws this is the effectful traversal: either every part is changed, or there is an error.
    @inlinable
    public func modifying<Failure: Error>(
        _ whole: Whole,
        _ change: (inout Part) throws(Failure) -> Void
    ) throws(Failure) -> Whole {
        var whole = whole
        try modify(&whole, change)
        return whole
    }

    /// The traversal of a member of each part.
    @inlinable
    public subscript<Next>(dynamicMember path: any WritableKeyPath<Part, Next> & Sendable) -> Traversal<Whole, Next> {
        appending(Lens<Part, Next>(path))
    }
}

extension Traversal where Whole == Part {
    /// The traversal whose one part is the whole: neutral for `appending`, on either side.
    @inlinable
    public static var identity: Traversal<Whole, Whole> {
        Lens.identity.asTraversal
    }
}
