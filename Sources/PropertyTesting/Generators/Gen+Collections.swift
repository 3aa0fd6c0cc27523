extension Gen {
    /// Arrays of values, as long as `count` allows, or up to as long as the size. Shorter ones are simpler.
    ///
    /// ```swift
    /// Gen.int(in: 0...100).array(1...10)
    /// ```
    public func array(_ count: ClosedRange<Int>? = nil) -> Gen<[Value]> {
        Gen<[Value]> { source throws(Discarded) in
            var values: [Value] = []
            try source.repeated(count) { source throws(Discarded) in values.append(try run(&source)) }
            return values
        }
    }

    /// Arrays of `count` values, or one time in four of fewer, whatever the size.
    func longArray(_ count: Int) -> Gen<[Value]> {
        Gen<[Value]> { source throws(Discarded) in
            var values: [Value] = []
            let isLong = source.unrecorded(upTo: 3) > 0
            let wanted = isLong ? count : Int(source.unrecorded(upTo: UInt64(count)))
            try source.repeated(0...count, wanted: wanted) { source throws(Discarded) in
                values.append(try run(&source))
            }
            return values
        }
    }
}

extension Gen where Value: Hashable & SendableMetatype {
    /// Sets of values; equal values count once, so that a set may be smaller than `count` when there are few.
    ///
    /// The case is discarded when, after many values, the set is still smaller than `count` asks for.
    public func set(_ count: ClosedRange<Int>? = nil) -> Gen<Set<Value>> {
        dictionary(of: Gen<Void> { _ throws(Discarded) in }, count).map { Set($0.keys) }
    }

    /// Dictionaries with these keys and values of `values`; equal keys count once, as in ``set(_:)``.
    public func dictionary<Element>(
        of values: Gen<Element>, _ count: ClosedRange<Int>? = nil
    ) -> Gen<[Value: Element]> {
        Gen<[Value: Element]> { source throws(Discarded) in
            var entries: [Value: Element] = [:]
            try source.repeated(count) { source throws(Discarded) in
                let key = try run(&source)
                entries[key] = try values.run(&source)
            }
            var rounds = 0
            while entries.count < count?.lowerBound ?? 0 {
                guard rounds < 50 else { throw Discarded() }
                rounds += 1
                let key = try run(&source)
                entries[key] = try values.run(&source)
            }
            return entries
        }
    }
}

extension Source {
    /// Runs `body` as often as `count` allows, at a count that follows from the size.
    fileprivate mutating func repeated(
        _ count: ClosedRange<Int>?, _ body: (inout Source) throws(Discarded) -> Void
    ) throws(Discarded) {
        // How many there are likely to be follows from the size. How many there may be does not.
        let extra = count.map { $0.upperBound - $0.lowerBound } ?? size
        let count = count ?? 0...100
        guard count.lowerBound >= 0 else {
            fatalError("A collection cannot have \(count) elements. To fix, pass counts that begin at 0 or above.")
        }
        // Half of what is allowed, at a small size, and all of it at the largest.
        let likely = extra == 0 ? 0 : max(1, min(extra, extra * (size + 20) / 100))
        let wanted = count.lowerBound + (extra == 0 ? 0 : Int(unrecorded(upTo: UInt64(likely))))
        try repeated(count, wanted: wanted, body)
    }

    /// Runs `body` as often as `count` allows: with new choices, `wanted` times.
    ///
    /// Before each run a choice says whether there is one more, so that an element goes away with the choices it was made
    /// of. The elements that must be there have this choice too, and it always says yes: whichever element is left out, the
    /// others move up.
    fileprivate mutating func repeated(
        _ count: ClosedRange<Int>, wanted: Int, _ body: (inout Source) throws(Discarded) -> Void
    ) throws(Discarded) {
        guard count.lowerBound < count.upperBound else {
            for _ in 0..<count.lowerBound { try body(&self) }
            return
        }
        let list = beginList()
        for index in 0..<count.upperBound {
            let start = self.count
            if index < count.lowerBound {
                record(1)
            } else if choose(upTo: 1, fresh: { _, _ in index < wanted ? 1 : 0 }) == 0 {
                return
            }
            // The value would not be used.
            guard !isOverLimit else { throw Discarded() }
            try body(&self)
            endElement(from: start, of: list)
        }
    }
}
