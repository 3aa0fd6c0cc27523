extension Gen where Value: FixedWidthInteger & Sendable {
    /// An integer of `range`; the one that is nearest to zero is the simplest.
    ///
    /// The range's ends come up more often than others, as mistakes live there. The size plays no part.
    public static func integer(in range: ClosedRange<Value>) -> Gen {
        Gen { source throws(Discarded) in
            source.integer(in: range) { bound, random in
                random.next(upTo: 15) == 0 ? bound : random.next(upTo: bound)
            }
        }
    }

    /// An integer near zero; how near follows from the size, up to 100 of either sign.
    ///
    /// Large ones are left to ``integer(in:)``: most code may trap on overflow, and says so.
    public static var integer: Gen {
        Gen { source throws(Discarded) in
            let bound = Value(clamping: source.size)
            return source.integer(in: (Value.isSigned ? 0 - bound : 0)...bound) { bound, random in
                random.next(upTo: bound)
            }
        }
    }
}

extension Gen where Value == Int {
    /// An integer near zero; how near follows from the size, up to 100 of either sign. See ``integer``.
    public static var int: Gen { integer }

    /// An integer of `range`; the one that is nearest to zero is the simplest. See ``integer(in:)``.
    public static func int(in range: ClosedRange<Int>) -> Gen { integer(in: range) }
}

extension Gen where Value == Bool {
    /// False, the simpler one, or true.
    public static var bool: Gen {
        Gen { source throws(Discarded) in source.choose(upTo: 1) == 1 }
    }
}

extension Gen where Value == Double {
    /// A number of any kind: whole ones, fractions, very large and very small ones, negative zero, the infinities and,
    /// one time in fifty or so, NaN.
    public static var double: Gen {
        let special: [Double] = [
            -0.0, 1 / 3, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .ulpOfOne,
            9_007_199_254_740_992, .nan,
        ]
        return frequency([
            (4, Gen<Int>.int.map(Double.init)),
            (3, Gen<(Int, Int)>.zip(.int, .int(in: 1...64)).map { Double($0) / Double($1) }),
            (2, element(of: special)),
        ])
    }

    /// A number of `range`, whose lower end is the simplest. Stops the process when an end is infinite.
    public static func double(in range: ClosedRange<Double>) -> Gen {
        guard range.lowerBound.isFinite, range.upperBound.isFinite else {
            fatalError("Gen.double(in: \(range)) has no middle. To fix, give finite ends, or take Gen.double.")
        }
        return Gen { source throws(Discarded) in
            let part = Double(source.choose(upTo: 1 << 53)) / Double(1 << 53 as UInt64)
            return min(range.lowerBound * (1 - part) + range.upperBound * part, range.upperBound)
        }
    }
}

extension Source {
    /// An integer of `range`: first how far it is from the simplest one, then, where both signs are possible, which.
    fileprivate mutating func integer<Value: FixedWidthInteger>(
        in range: ClosedRange<Value>, fresh: (UInt64, inout RandomNumbers) -> UInt64
    ) -> Value {
        let (low, high) = (range.lowerBound, range.upperBound)
        func distance(_ from: Value, _ to: Value) -> Value.Magnitude {
            Value.Magnitude(truncatingIfNeeded: to) &- Value.Magnitude(truncatingIfNeeded: from)
        }
        func moved(_ origin: Value, _ distance: Value.Magnitude) -> Value {
            Value(truncatingIfNeeded: Value.Magnitude(truncatingIfNeeded: origin) &+ distance)
        }
        guard low < 0, high > 0 else {
            let chosen = magnitude(upTo: distance(low, high), fresh: fresh)
            return high <= 0 ? moved(high, 0 &- chosen) : moved(low, chosen)
        }
        let (below, above) = (distance(low, 0), distance(0, high))
        let magnitude = magnitude(upTo: max(below, above), fresh: fresh)
        // Chosen for zero too, so that the choices keep their places while numbers change.
        let prefersNegative = choose(upTo: 1) == 1
        let isNegative = magnitude > above || (magnitude <= below && prefersNegative)
        return moved(0, isNegative ? 0 &- magnitude : magnitude)
    }

    /// A number up to `bound`; what has no place in 64 bits is chosen before the rest.
    private mutating func magnitude<Magnitude: FixedWidthInteger & UnsignedInteger>(
        upTo bound: Magnitude, fresh: (UInt64, inout RandomNumbers) -> UInt64
    ) -> Magnitude {
        let low = UInt64(truncatingIfNeeded: bound)
        guard Magnitude.bitWidth > 64, bound >> 64 > 0 else {
            return Magnitude(truncatingIfNeeded: choose(upTo: low) { fresh(low, &$0) })
        }
        let high = magnitude(upTo: bound >> 64, fresh: fresh)
        let rest = high < bound >> 64 ? .max : low
        return high << 64 | Magnitude(choose(upTo: rest) { fresh(rest, &$0) })
    }
}
