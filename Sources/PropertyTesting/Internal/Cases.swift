/// The sequence of a property's cases: the replayed case, if there is one, and then the wanted number of cases, or several
/// times as many.
struct Cases {
    struct Case {
        let seed: UInt64
        let size: Int
        /// The origin of the case, as part of a failure's text.
        var name: String { number.map { "case \($0) of \(wanted)" } ?? "replayed" }

        /// Whether no generated case has counted before.
        var isFirst: Bool { number == 1 }

        fileprivate let number: Int?
        fileprivate let wanted: Int
    }

    private(set) var ran = 0
    private(set) var discarded = 0

    private var wanted: Int
    /// The number of cases in which the size grows to its maximum.
    private let round: Int
    private let seed: UInt64
    private var attempt: UInt64 = 0
    private var replay: Replay?
    // The replayed case does not count as one of the wanted cases.
    private var counts = false

    init(_ settings: PropertySettings) {
        wanted = settings.cases
        round = settings.cases
        seed = settings.seed ?? UInt64.random(in: 0 ... .max)
        replay = settings.replay
    }

    /// Whether too many inputs were discarded to continue.
    var isGivenUp: Bool { ran < wanted && (discarded - 1) / 10 >= wanted }

    mutating func next() -> Case? {
        if let replay {
            self.replay = nil
            return Case(seed: replay.seed, size: replay.size, number: nil, wanted: wanted)
        }
        guard ran < wanted, !isGivenUp else { return nil }
        counts = true
        defer { attempt += 1 }
        return Case(
            seed: RandomNumbers.mixed(seed &+ attempt &* 0x9E37_79B9_7F4A_7C15),
            size: round == 1 ? 100 : 1 + ran % round * 99 / (round - 1), number: ran + 1, wanted: wanted)
    }

    /// Adds as many cases as there are. They have the same sizes, so labels are as probable in them.
    mutating func double() {
        wanted = wanted > .max / 2 ? .max : 2 * wanted
    }

    mutating func countPassed() {
        if counts { ran += 1 }
    }

    mutating func countDiscarded() {
        if counts { discarded += 1 }
    }
}
