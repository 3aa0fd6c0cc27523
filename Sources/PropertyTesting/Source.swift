/// The source of the choices from which a generator derives a value.
///
/// Each choice is a number. The source records all choices. The list of choices determines the generated value. A
/// shorter list, or a list of smaller numbers, leads to a simpler value. To find a simpler value that also fails, the
/// shrinker edits the list and runs the generator again. This works for all generators.
///
/// A generator of your own reads choices from the source. The choice 0 should lead to the simplest value:
///
/// ```swift
/// let roll = Gen { source in Int(source.choose(upTo: 5)) + 1 }
/// ```
public struct Source {
    /// The intended size of the values, from 1 to 100. It grows from case to case.
    ///
    /// Some generators of this module, such as those of collections, make smaller new choices at a smaller size. The
    /// size does not affect choices that are repeated while an input is shrunk. Equal choices lead to equal values at
    /// every size, except in ``Gen/sized(_:)``. So the size of a failing case does not limit the values to which its
    /// input can shrink.
    ///
    /// The method ``choose(upTo:)`` ignores the size.
    public internal(set) var size: Int

    /// The choices that were made so far.
    private(set) var choices: [UInt64] = []

    /// A list of elements among the choices.
    struct List {
        /// The index of the list's first choice.
        let start: Int
        /// The choices of each element. The first choice of each states that there is one more element.
        var elements: [Range<Int>] = []
    }

    /// The lists among the choices, in the order in which they begin.
    ///
    /// Empty unless choices are repeated, because only a shrinker reads it.
    private(set) var lists: [List] = []

    private let recorded: [UInt64]
    /// The positions of the recorded choices that are replaced by new ones.
    private let redrawn: Range<Int>
    private var position = 0
    private var random: RandomNumbers
    private let limit: Int

    /// Whether all further choices are new ones.
    private(set) var isFresh: Bool

    /// Whether the generator has made more than `limit` choices. A shrinker then rejects the generated value.
    private(set) var isOverLimit = false

    /// Creates a source of new choices, which `seed` determines.
    package init(seed: UInt64, size: Int) {
        self.size = size
        recorded = []
        redrawn = 0..<0
        limit = .max
        random = RandomNumbers(seed: seed)
        isFresh = true
    }

    /// Restarts the source with new choices, which `seed` determines, and reuses its storage.
    package mutating func restart(seed: UInt64, size: Int) {
        self.size = size
        choices.removeAll(keepingCapacity: true)
        random = RandomNumbers(seed: seed)
    }

    /// Creates a source that repeats choices, except those at the positions `redrawn`, for which it makes new ones.
    ///
    /// The choices after the recorded ones are 0. The choices beyond `limit` are new ones. So a generator also ends if
    /// it continues as long as the choices are 0.
    init(repeating recorded: [UInt64], redrawing redrawn: Range<Int> = 0..<0, seed: UInt64 = 0, size: Int, limit: Int) {
        self.size = size
        self.recorded = recorded
        self.redrawn = redrawn
        self.limit = limit
        random = RandomNumbers(seed: seed)
        isFresh = false
        choices.reserveCapacity(recorded.count)
    }

    /// Returns a choice from 0, the simplest one, to `bound`.
    ///
    /// When an input is generated for the first time, all numbers have the same probability. While the input is shrunk,
    /// the source returns the edited choices instead.
    ///
    /// - Parameter bound: The greatest possible choice.
    public mutating func choose(upTo bound: UInt64) -> UInt64 {
        choose(upTo: bound) { random, _ in random.next(upTo: bound) }
    }

    /// Returns a choice from 0 to `bound`. If the choice is new, `fresh` returns it, given the choices so far.
    mutating func choose(upTo bound: UInt64, fresh: (inout RandomNumbers, [UInt64]) -> UInt64) -> UInt64 {
        let choice: UInt64
        if isFresh {
            choice = fresh(&random, choices)
        } else if position < recorded.count {
            choice = redrawn.contains(position) ? fresh(&random, choices) : min(recorded[position], bound)
            position += 1
        } else if choices.count < limit {
            choice = 0
        } else {
            isOverLimit = true
            isFresh = true
            choice = fresh(&random, choices)
        }
        choices.append(choice)
        return choice
    }

    /// Records a choice that has only one possible value.
    mutating func record(_ choice: UInt64) {
        if !isFresh, position < recorded.count { position += 1 }
        choices.append(choice)
    }

    /// Returns a number from 0 to `bound` that is not recorded. The caller may use the number only to make new choices,
    /// because it does not recur when choices are repeated.
    mutating func unrecorded(upTo bound: UInt64) -> UInt64 {
        random.next(upTo: bound)
    }

    /// Begins a list, and returns its number for ``endElement(from:of:)``.
    mutating func beginList() -> Int {
        guard !isFresh else { return 0 }
        lists.append(List(start: count))
        return lists.count - 1
    }

    /// Adds an element to a list: the choices since `start`, the first of which states that there is one more element.
    mutating func endElement(from start: Int, of list: Int) {
        if !isFresh { lists[list].elements.append(start..<count) }
    }

    /// The number of choices that were made.
    @usableFromInline package var count: Int { choices.count }

    /// Removes all but the first `count` choices, for a value that was generated and not used.
    @usableFromInline mutating func forget(downTo count: Int) {
        choices.removeSubrange(count...)
        // No list is removed, so the numbers of unfinished lists stay valid.
        for list in lists.indices { lists[list].elements.removeAll { $0.upperBound > count } }
    }
}
