/// A source of choices: the remaining choices of an order, or random choices.
struct StepChoices: Sendable {
    private let order: StepOrder
    private var position = 0
    /// The state of a SplitMix64 generator.
    private var random: UInt64?

    init(seed: UInt64?) {
        order = StepOrder()
        random = seed
    }

    init(_ order: StepOrder) {
        self.order = order
    }

    var racesTime: Bool { order.racesTime }

    var isRandom: Bool { random != nil }

    /// Whether all further choices are 0, and no log records them.
    var isOver: Bool { random == nil && position >= order.choices.count && order.log?.isComplete != true }

    /// Returns the index of the next step among `count` possible ones.
    mutating func next(of count: Int) -> Int {
        guard count > 1, !isOver else { return 0 }
        if random != nil { return nextRandom(below: count) }
        order.log?.note(count, at: position)
        defer { position += 1 }
        return position < order.choices.count ? order.choices[position] % count : 0
    }

    private mutating func nextRandom(below bound: Int) -> Int {
        let position = (random ?? 0) &+ 0x9E37_79B9_7F4A_7C15
        random = position
        var mixed = position
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int(truncatingIfNeeded: mixed.multipliedFullWidth(by: UInt64(bound)).high)
    }
}
