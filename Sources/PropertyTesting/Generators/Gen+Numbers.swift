extension Gen where Value: FixedWidthInteger & Sendable {
    /// Returns a generator of the integers in a range. The integer nearest to zero is the simplest.
    ///
    /// Some integers are more frequent than others, because they are more likely to reveal errors. Of a hundred
    /// integers:
    ///
    /// - About six are the bound that is farther from zero.
    /// - About six are the simplest integer.
    /// - About six are the other bound, if zero lies inside the range.
    /// - About eleven lie within a random distance of the simplest integer: the greatest possible distance, halved a
    ///   random number of times.
    /// - If the case has earlier integers, about eleven have the same distance from the simplest integer as one of
    ///   them, or a distance that is larger or smaller by one. If both signs are possible, the sign is random.
    /// - For the others, the distance from the simplest integer is uniformly distributed.
    ///
    /// An earlier integer may have another range. Its distance is that from the simplest integer of its own range.
    ///
    /// So of a hundred pairs of integers from a wide range, about six consist of equal integers, and about five of
    /// neighbours. If the range contains positive and negative integers, about four pairs consist of equal integers,
    /// and about three of neighbours. The size has no effect.
    ///
    /// - Parameter range: The possible integers.
    public static func integer(in range: ClosedRange<Value>) -> Gen {
        Gen { source throws(Discarded) in
            source.integer(in: range) { bound, nearEnd, random, earlier in
                switch random.next(upTo: 17) {
                case 0: bound
                case 1: 0
                case 2 where nearEnd > 0: min(nearEnd, bound)
                case 3, 4: random.next(near: earlier, upTo: bound)
                case 5, 6: random.next(upTo: bound >> random.next(upTo: UInt64(63 - max(bound, 1).leadingZeroBitCount)))
                default: random.next(upTo: bound)
                }
            }
        }
    }

    /// A generator of integers near zero, of both signs if the type is signed. Zero is the simplest.
    ///
    /// The magnitude of the integers is at most the ``Source/size``, which grows to 100, with one exception: one
    /// integer in sixteen may be as large as the size cubed. In types of 64 bits and more, that is a million at the
    /// largest size. In smaller types, no magnitude exceeds 100.
    ///
    /// In types of 64 bits and more, sums of many of these integers and products of three do not overflow. To generate
    /// all integers of the type, use ``integer(in:)`` with `.min ... .max`.
    public static var integer: Gen {
        let bound = Value.bitWidth < 64 ? Value(clamping: 100) : Value(clamping: 1_000_000)
        return Gen { source throws(Discarded) in
            let size = UInt64(source.size)
            return source.integer(in: (Value.isSigned ? 0 - bound : 0)...bound) { bound, _, random, _ in
                random.next(upTo: random.next(upTo: 15) == 0 ? min(size * size * size, bound) : size)
            }
        }
    }
}

extension Gen where Value == Int {
    /// A generator of integers near zero, rarely beyond ±100 and never beyond ±1,000,000; see ``integer``.
    public static var int: Gen { integer }

    /// Returns a generator of the integers in a range. The integer nearest to zero is the simplest; see
    /// ``integer(in:)``.
    public static func int(in range: ClosedRange<Int>) -> Gen { integer(in: range) }
}

extension Gen where Value == Bool {
    /// A generator of `false`, the simpler value, and `true`.
    public static var bool: Gen {
        Gen { source throws(Discarded) in source.choose(upTo: 1) == 1 }
    }
}

extension Gen where Value == Double {
    /// A generator of numbers of all kinds. Whole numbers are the simplest, then fractions.
    ///
    /// It also generates very large and very small numbers, negative zero and the infinities. About one number in fifty
    /// is NaN.
    public static var double: Gen {
        let special = element(of: [
            -0.0, 1 / 3, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .ulpOfOne,
            9_007_199_254_740_992, .nan,
        ])
        return frequency([
            (4, Gen<Int>.int.map(Double.init)),
            (3, Gen<(Int, Int)>.zip(.int, .int(in: 1...64)).map { Double($0) / Double($1) }),
            (
                2,
                Gen { source throws(Discarded) in
                    // As many choices as a fraction has, so that whole numbers and fractions are simpler.
                    defer { for _ in 0..<2 { source.record(0) } }
                    return try special.run(&source)
                }
            ),
        ])
    }

    /// Returns a generator of uniformly distributed numbers in a range. The lower bound is the simplest.
    ///
    /// Traps if a bound is infinite.
    ///
    /// - Parameter range: The possible numbers.
    public static func double(in range: ClosedRange<Double>) -> Gen {
        guard range.lowerBound.isFinite, range.upperBound.isFinite else {
            fatalError("Gen.double(in: \(range)) has an infinite bound. To fix, pass finite bounds, or use Gen.double.")
        }
        return Gen { source throws(Discarded) in
            let part = Double(source.choose(upTo: 1 << 53)) / Double(1 << 53 as UInt64)
            let number = range.lowerBound * (1 - part) + range.upperBound * part
            return min(max(number, range.lowerBound), range.upperBound)
        }
    }
}

extension Source {
    /// A function that returns a new choice from 0 to `bound`. `nearEnd` is the distance from the simplest integer to
    /// the nearer end of the range, or 0.
    fileprivate typealias Fresh = (
        _ bound: UInt64, _ nearEnd: UInt64, _ random: inout RandomNumbers, _ earlier: [UInt64]
    ) -> UInt64

    /// Returns an integer in `range`. Chooses its distance from the simplest integer first. If both signs are possible,
    /// then chooses the sign.
    fileprivate mutating func integer<Value: FixedWidthInteger>(
        in range: ClosedRange<Value>, fresh: Fresh
    ) -> Value {
        let (low, high) = (range.lowerBound, range.upperBound)
        func distance(_ from: Value, _ to: Value) -> Value.Magnitude {
            Value.Magnitude(truncatingIfNeeded: to) &- Value.Magnitude(truncatingIfNeeded: from)
        }
        func moved(_ origin: Value, _ distance: Value.Magnitude) -> Value {
            Value(truncatingIfNeeded: Value.Magnitude(truncatingIfNeeded: origin) &+ distance)
        }
        guard low < 0, high > 0 else {
            let chosen = magnitude(upTo: distance(low, high), nearEnd: 0, fresh: fresh)
            return high <= 0 ? moved(high, 0 &- chosen) : moved(low, chosen)
        }
        let (below, above) = (distance(low, 0), distance(0, high))
        let magnitude = magnitude(upTo: max(below, above), nearEnd: min(below, above), fresh: fresh)
        // A sign is also chosen for zero, so that the positions of the choices do not depend on the numbers.
        let isNearEnd = below != above && magnitude == min(below, above)
        let prefersNegative =
            choose(upTo: 1) { random, _ in
                // Otherwise the nearer end would be half as frequent as the other one.
                isNearEnd && random.next(upTo: 7) > 0 ? (below < above ? 1 : 0) : random.next(upTo: 1)
            } == 1
        let isNegative = magnitude > above || (magnitude <= below && prefersNegative)
        return moved(0, isNegative ? 0 &- magnitude : magnitude)
    }

    /// Returns a number up to `bound`. If `bound` has more than 64 bits, the upper bits are a separate choice, which is
    /// made first.
    private mutating func magnitude<Magnitude: FixedWidthInteger & UnsignedInteger>(
        upTo bound: Magnitude, nearEnd: Magnitude, fresh: Fresh
    ) -> Magnitude {
        let (low, nearLow) = (UInt64(truncatingIfNeeded: bound), UInt64(truncatingIfNeeded: nearEnd))
        guard Magnitude.bitWidth > 64, bound >> 64 > 0 else {
            return Magnitude(truncatingIfNeeded: choose(upTo: low) { fresh(low, nearLow, &$0, $1) })
        }
        let high = magnitude(upTo: bound >> 64, nearEnd: nearEnd >> 64, fresh: fresh)
        let rest = high < bound >> 64 ? .max : low
        return high << 64 | Magnitude(choose(upTo: rest) { fresh(rest, nearLow, &$0, $1) })
    }
}
