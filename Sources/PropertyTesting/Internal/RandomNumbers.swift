/// SplitMix64: the same seed gives the same numbers on every machine.
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

    /// One of `numbers` or, as often, a number beside it; 0 if there are none.
    mutating func next(near numbers: [UInt64]) -> UInt64 {
        guard !numbers.isEmpty else { return 0 }
        let number = numbers[Int(next(upTo: UInt64(numbers.count - 1)))]
        return switch next(upTo: 3) {
        case 0: number == .max ? number : number + 1
        case 1: number == 0 ? number : number - 1
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
