/// The SplitMix64 generator. Equal seeds lead to equal numbers on every machine.
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    mutating func next(upTo bound: UInt64) -> UInt64 {
        bound == .max ? next() : next().multipliedFullWidth(by: bound + 1).high
    }

    /// Returns an earlier choice or, with the same probability, a neighbour of it. If no choice is suitable, returns
    /// any number up to `bound`.
    ///
    /// A choice of 0 or 1 is often a sign, or the mark that a list has one more element. In that case, the choice
    /// before it is used.
    mutating func next(near choices: [UInt64], upTo bound: UInt64) -> UInt64 {
        guard !choices.isEmpty else { return next(upTo: bound) }
        let index = Int(next(upTo: UInt64(choices.count - 1)))
        let number = choices[index] <= 1 && index > 0 ? choices[index - 1] : choices[index]
        guard number > 1, number <= bound else { return next(upTo: bound) }
        return switch next(upTo: 3) {
        case 0: number == bound ? number : number + 1
        case 1: number - 1
        default: number
        }
    }

    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
