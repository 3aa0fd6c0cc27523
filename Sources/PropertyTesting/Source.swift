/// Where generators get their choices from: each choice is a number, and the list of them is recorded.
///
/// Whatever is generated follows from that list. A shorter list, or one with smaller numbers, gives a simpler value, so
/// that a failing value is made small by editing the list alone, whatever the generator did with it.
///
/// A generator of your own reads it, with 0 for the simplest choice:
///
/// ```swift
/// let roll = Gen { source in Int(source.choose(upTo: 5)) + 1 }
/// ```
public struct Source {
    /// How large the values should be, from 1 to 100. It grows from case to case.
    ///
    /// The generators of this module read it only to make new choices. The same choices make the same value at each
    /// size, so that a value that was found at one size can become any simpler one.
    public internal(set) var size: Int

    /// The choices so far.
    private(set) var choices: [UInt64] = []

    /// A list of elements among the choices.
    struct List {
        /// The index of the list's first choice.
        let start: Int
        /// The choices of each element. The first one of each says that there is one more element.
        var elements: [Range<Int>] = []
    }

    /// The lists among the choices, in the order in which they begin. Empty unless choices are repeated: only a shrinker
    /// reads it.
    private(set) var lists: [List] = []

    private let recorded: [UInt64]
    /// The positions among the recorded choices in whose place new choices are made.
    private let redrawn: Range<Int>
    private var position = 0
    private var random: RandomNumbers
    private let limit: Int

    /// Whether all choices are new ones.
    private(set) var isFresh: Bool

    /// Whether more choices were asked for than may be repeated.
    private(set) var isOverLimit = false

    /// A source of new choices, all of which follow from `seed`.
    package init(seed: UInt64, size: Int) {
        self.size = size
        recorded = []
        redrawn = 0..<0
        limit = .max
        random = RandomNumbers(seed: seed)
        isFresh = true
    }

    /// Restarts with choices that follow from `seed`, in the storage of the old ones.
    package mutating func restart(seed: UInt64, size: Int) {
        self.size = size
        choices.removeAll(keepingCapacity: true)
        random = RandomNumbers(seed: seed)
    }

    /// Creates a source that repeats choices, except those at the positions `redrawn`, for which it makes new ones.
    ///
    /// The choices after the recorded ones are 0. Those beyond `limit` are new ones, so that also a generator ends that
    /// continues as long as the choices are 0.
    init(repeating recorded: [UInt64], redrawing redrawn: Range<Int> = 0..<0, seed: UInt64 = 0, size: Int, limit: Int) {
        self.size = size
        self.recorded = recorded
        self.redrawn = redrawn
        self.limit = limit
        random = RandomNumbers(seed: seed)
        isFresh = false
        choices.reserveCapacity(recorded.count)
    }

    /// A number from 0, the simplest choice, to `bound`, all equally probable.
    public mutating func choose(upTo bound: UInt64) -> UInt64 {
        choose(upTo: bound) { random, _ in random.next(upTo: bound) }
    }

    /// A number from 0 to `bound`. A new choice is the one that `fresh` makes, given the choices so far.
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

    /// Takes the place of a choice where there is but one.
    mutating func record(_ choice: UInt64) {
        if !isFresh, position < recorded.count { position += 1 }
        choices.append(choice)
    }

    /// A number from 0 to `bound` that is not recorded, for a value that only steers recorded choices.
    mutating func unrecorded(upTo bound: UInt64) -> UInt64 {
        random.next(upTo: bound)
    }

    /// Begins a list, and returns its number for ``endElement(from:of:)``.
    mutating func beginList() -> Int {
        guard !isFresh else { return 0 }
        lists.append(List(start: count))
        return lists.count - 1
    }

    /// Adds an element to a list: the choices since `start`, the first of which says that there is one more.
    mutating func endElement(from start: Int, of list: Int) {
        if !isFresh { lists[list].elements.append(start..<count) }
    }

    /// How many choices were made.
    @usableFromInline var count: Int { choices.count }

    /// Forgets all but the first `count` choices, for what was tried and not used.
    @usableFromInline mutating func forget(downTo count: Int) {
        choices.removeSubrange(count...)
        // Numbers of lists that are being made stay as they are.
        for list in lists.indices { lists[list].elements.removeAll { $0.upperBound > count } }
    }
}
