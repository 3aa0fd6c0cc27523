extension Gen {
    /// Returns a generator of arrays. Shorter arrays are simpler. By default, an array can be empty.
    ///
    /// ```swift
    /// Gen.int(in: 0...100).array(1...10)
    /// ```
    ///
    /// Generating an array traps if `count` begins below 0 or ends above 10,000,000.
    ///
    /// - Parameter count: The possible numbers of elements. By default, there are at most as many elements as the
    ///   ``Source/size``.
    public func array(_ count: ClosedRange<Int>? = nil) -> Gen<[Value]> {
        Gen<[Value]> { source throws(Discarded) in
            var values: [Value] = []
            try source.repeated(count) { source throws(Discarded) in values.append(try run(&source)) }
            return values
        }
    }

    /// Returns a generator of arrays of `count` values. One array in four has a random number of values up to `count`.
    /// The size does not affect the length of the arrays.
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
    /// Returns a generator of sets. Smaller sets are simpler.
    ///
    /// If the generated values are not distinct, the set is smaller than intended. If it is smaller than the lower
    /// bound of `count`, up to fifty more values are generated. If the set is then still too small, the case is
    /// discarded.
    ///
    /// - Parameter count: The possible numbers of elements. By default, there are at most as many elements as the
    ///   ``Source/size``.
    public func set(_ count: ClosedRange<Int>? = nil) -> Gen<Set<Value>> {
        dictionary(of: Gen<Void> { _ throws(Discarded) in }, count).map { Set($0.keys) }
    }

    /// Returns a generator of dictionaries whose keys are the values of this generator.
    ///
    /// If the generated keys are not distinct, the dictionary is smaller than intended; see ``set(_:)``.
    ///
    /// - Parameters:
    ///   - values: Generates the values.
    ///   - count: The possible numbers of entries. By default, there are at most as many entries as the
    ///     ``Source/size``.
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
    /// Runs `body` several times. `count` limits the number of runs, and the size affects the probability of each
    /// number.
    fileprivate mutating func repeated(
        _ count: ClosedRange<Int>?, _ body: (inout Source) throws(Discarded) -> Void
    ) throws(Discarded) {
        let (isDefault, count) = (count == nil, count ?? 0...100)
        // More elements might not fit into memory.
        guard count.lowerBound >= 0, count.upperBound <= 10_000_000 else {
            fatalError("A collection cannot have \(count) elements. To fix, pass counts from 0 to 10,000,000.")
        }
        // The size affects the probable number of runs, but not the possible numbers.
        let extra = isDefault ? size : count.upperBound - count.lowerBound
        // A fifth of the range at the smallest size, and all of it from a size of 80 on.
        let likely = extra == 0 ? 0 : max(1, min(extra, extra * (size + 20) / 100))
        let wanted = count.lowerBound + (extra == 0 ? 0 : Int(unrecorded(upTo: UInt64(likely))))
        try repeated(count, wanted: wanted, body)
    }

    /// Runs `body` several times: `wanted` times if the choices are new, and otherwise as the choices state.
    ///
    /// If `count` contains a single number, no choice is made for the runs. Otherwise, before each run, a choice states
    /// whether there is one more element. So removing the choices of an element removes the element. Required elements
    /// have this choice, too, and its value is always 1. So any element can be removed, and the elements after it move
    /// up.
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
            // A source that is over its limit is rejected, so the value would not be used.
            guard !isOverLimit else { throw Discarded() }
            try body(&self)
            endElement(from: start, of: list)
        }
    }
}
