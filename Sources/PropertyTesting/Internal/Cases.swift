/// The sequence of a property's cases: the replayed case, if there is one, and then the wanted number of cases.
struct Cases {
    struct Case {
        let seed: UInt64
        let size: Int
        /// The origin of the case, as part of a failure's text.
        var name: String { number.map { "case \($0) of \(wanted)" } ?? "replayed" }

        fileprivate let number: Int?
        fileprivate let wanted: Int
    }

    private(set) var ran = 0
    private(set) var discarded = 0

    private let wanted: Int
    private let seed: UInt64
    private var attempt: UInt64 = 0
    private var replay: Replay?
    // The replayed case does not count as one of the wanted cases.
    private var counts = false

    init(_ settings: PropertySettings) {
        wanted = settings.cases
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
            size: wanted == 1 ? 100 : 1 + ran * 99 / (wanted - 1), number: ran + 1, wanted: wanted)
    }

    mutating func countPassed() {
        if counts { ran += 1 }
    }

    mutating func countDiscarded() {
        if counts { discarded += 1 }
    }
}
