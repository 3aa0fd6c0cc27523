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
    public internal(set) var size: Int

    /// What was chosen so far.
    private(set) var choices: [UInt64] = []

    /// Where the elements of each list lie among the choices, the lists in the order in which they begin.
    ///
    /// Known of repeated choices alone: it is asked for while a value is made smaller.
    private(set) var lists: [[Range<Int>]] = []

    private let recorded: [UInt64]
    private var position = 0
    private var random: RandomNumbers?
    private let limit: Int

    /// Whether more choices were asked for than may be repeated.
    private(set) var isOverLimit = false

    /// A source of new choices, all of which follow from `seed`.
    package init(seed: UInt64, size: Int) {
        self.size = size
        recorded = []
        limit = .max
        random = RandomNumbers(seed: seed)
    }

    /// Begins anew with choices that follow from `seed`, in the storage of the old ones.
    package mutating func restart(seed: UInt64, size: Int) {
        self.size = size
        choices.removeAll(keepingCapacity: true)
        random = RandomNumbers(seed: seed)
    }

    /// A source that repeats choices; 0 when they are used up and, beyond `limit` choices, new ones: a generator that
    /// goes on for as long as it is answered 0 ends too.
    init(repeating recorded: [UInt64], size: Int, limit: Int) {
        self.size = size
        self.recorded = recorded
        self.limit = limit
        choices.reserveCapacity(recorded.count)
    }

    /// A number from 0, the simplest choice, to `bound`, all equally probable.
    public mutating func choose(upTo bound: UInt64) -> UInt64 {
        choose(upTo: bound) { $0.next(upTo: bound) }
    }

    /// A number from 0 to `bound`; when it is a new choice, the one that `fresh` makes.
    mutating func choose(upTo bound: UInt64, fresh: (inout RandomNumbers) -> UInt64) -> UInt64 {
        let choice: UInt64
        if random != nil {
            choice = fresh(&random!)
        } else if position < recorded.count {
            choice = min(recorded[position], bound)
            position += 1
        } else if choices.count < limit {
            choice = 0
        } else {
            isOverLimit = true
            random = RandomNumbers(seed: 0)
            return choose(upTo: bound, fresh: fresh)
        }
        choices.append(choice)
        return choice
    }

    /// Takes the place of a choice where there is but one.
    mutating func record(_ choice: UInt64) {
        if !isFresh, position < recorded.count { position += 1 }
        choices.append(choice)
    }

    /// A number that is not recorded, for what only steers the recorded choices; 0 when choices are repeated.
    mutating func unrecorded(upTo bound: UInt64) -> UInt64 {
        random?.next(upTo: bound) ?? 0
    }

    /// Whether choices are new ones.
    var isFresh: Bool { random != nil }

    /// Begins a list, for ``endElement(from:of:)``.
    mutating func beginList() -> Int {
        guard !isFresh else { return 0 }
        lists.append([])
        return lists.count - 1
    }

    /// An element of a list has been made of the choices since `start`, the first of which says that there is one.
    mutating func endElement(from start: Int, of list: Int) {
        if !isFresh { lists[list].append(start..<count) }
    }

    /// How many choices were made.
    @usableFromInline var count: Int { choices.count }

    /// Forgets all but the first `count` choices, for what was tried and not used.
    @usableFromInline mutating func forget(downTo count: Int) {
        choices.removeSubrange(count...)
        // Numbers of lists that are being made stay as they are.
        for list in lists.indices { lists[list].removeAll { $0.upperBound > count } }
    }
}
