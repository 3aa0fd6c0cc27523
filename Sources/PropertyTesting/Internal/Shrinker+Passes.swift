// The passes of a shrinker.

// MARK: - Fewer choices

extension Shrinker {
    /// Removes elements of lists: all elements of a list, then halves, then quarters, and finally each element.
    nonisolated(nonsending) mutating func leaveOutElements(_ body: Body) async {
        var length = lists.map(\.elements.count).max() ?? 0
        while length > 0, mayTry {
            var list = 0
            while list < lists.count, mayTry {
                var end = lists[list].elements.count
                // A shorter list was processed when all of its elements were removed.
                while end > 0, length <= lists[list].elements.count, mayTry {
                    let start = max(0, end - length)
                    let elements = lists[list].elements
                    _ = await accepts(best.removing(elements[start].lowerBound..<elements[end - 1].upperBound), body)
                    guard list < lists.count else { break }
                    end = min(start, lists[list].elements.count)
                }
                list += 1
            }
            length /= 2
        }
    }

    /// Removes an element of a list, and subtracts 1 from all choices of the list that are greater than the element's
    /// index. This is for lists whose elements contain indices of other elements.
    nonisolated(nonsending) mutating func leaveOutAndRenumber(_ body: Body) async {
        var list = 0
        while list < lists.count, mayTry {
            var element = 0
            while list < lists.count, element < lists[list].elements.count, mayTry {
                let elements = lists[list].elements
                var candidate = best
                // The first choice of each element states that there is one more element.
                for index in elements.lazy.flatMap({ $0.dropFirst() }) where candidate[index] > element {
                    candidate[index] -= 1
                }
                if await !accepts(candidate.removing(elements[element]), body) { element += 1 }
            }
            list += 1
        }
    }

    /// Deletes blocks of choices, independent of their meaning. This finds parts that are not elements of a list.
    nonisolated(nonsending) mutating func deleteBlocks(_ body: Body) async {
        var length = best.count
        while length > 0, mayTry {
            var start = best.count - length
            while start >= 0, mayTry {
                if await accepts(best.removing(start..<start + length), body) {
                    start = min(start, best.count - length)
                } else {
                    let step = max(1, length / 4)
                    // Among equal choices, the next blocks lead to the same candidate.
                    repeat {
                        start -= step
                    } while start >= 0
                        && best[start..<start + step] == best[start + length..<start + length + step]
                }
            }
            length = length > 8 ? length / 2 : length - 1
        }
    }

    /// Lowers a choice, and deletes as many later choices as the generator then no longer uses.
    ///
    /// This is for a list whose length is generated before its elements: any of the elements is deleted.
    nonisolated(nonsending) mutating func lowerLengths(_ body: Body) async {
        var (marks, index) = (elementMarks, 0)
        while index < best.count, mayTry {
            var amount = marks.contains(index) ? 0 : best[index]
            while amount > 0, index < best.count, isLength(index), mayTry {
                if await lowerLength(at: index, by: min(amount, best[index]), body) {
                    marks = elementMarks
                } else {
                    amount /= 2
                }
            }
            index += 1
        }
    }

    private mutating func isLength(_ index: Int) -> Bool {
        best[index] > 0 && choicesLost(by: best.replacing([index], with: best[index] - 1)) > 0
    }

    private mutating func choicesLost(by choices: [UInt64]) -> Int {
        countTry() ? source(of: choices).map { best.count - $0.count } ?? 0 : 0
    }

    private nonisolated(nonsending) mutating func lowerLength(
        at index: Int, by amount: UInt64, _ body: Body
    ) async -> Bool {
        let lowered = best.replacing([index], with: best[index] - amount)
        let lost = choicesLost(by: lowered)
        guard lost > 0 else { return false }
        var start = best.count - lost
        while start > index, mayTry {
            if await accepts(lowered.removing(start..<start + lost), body) { return true }
            start -= amount == 1 ? 1 : lost
        }
        return false
    }
}

// MARK: - Smaller choices

extension Shrinker {
    /// The positions of the choices that state that a list has one more element.
    private var elementMarks: Set<Int> {
        Set(lists.lazy.flatMap { $0.elements.lazy.map(\.lowerBound) })
    }

    /// Sets all choices of a block to 0, except those that determine the length of a list. The blocks become smaller:
    /// all choices, then halves, then quarters, and so on.
    nonisolated(nonsending) mutating func clearBlocks(_ body: Body) async {
        var (marks, length) = (elementMarks, best.count)
        while length > 1, mayTry {
            var start = 0
            while start < best.count, mayTry {
                let block = start..<min(start + length, best.count)
                let indices = block.filter { best[$0] > 0 && !marks.contains($0) }
                if !indices.isEmpty, await accepts(best.replacing(indices, with: 0), body) { marks = elementMarks }
                start += length
            }
            length /= 2
        }
    }

    nonisolated(nonsending) mutating func lowerEach(_ body: Body) async {
        var index = 0
        while index < best.count, mayTry {
            await lower([index], body)
            index += 1
        }
    }

    /// Lowers all choices with the same value together. This is for properties that fail if several values are equal.
    nonisolated(nonsending) mutating func lowerEqual(_ body: Body) async {
        let marks = elementMarks
        let groups = Dictionary(grouping: best.indices.filter { best[$0] > 0 && !marks.contains($0) }) { best[$0] }
        for (_, indices) in groups.sorted(by: { $0.key > $1.key }) where indices.count > 1 {
            await lower(indices, body)
        }
    }

    /// Lowers the choices at `indices`, which are equal, together and as far as possible.
    private nonisolated(nonsending) mutating func lower(_ indices: [Int], _ body: Body) async {
        guard let first = indices.first, let last = indices.last, last < best.count, best[first] > 0,
            await !accepts(best.replacing(indices, with: 0), body)
        else { return }
        var passing: UInt64 = 0
        while last < best.count, best[first] > passing + 1, mayTry {
            let middle = passing + (best[first] - passing) / 2
            let before = best[first]
            if await accepts(best.replacing(indices, with: middle), body) {
                guard last < best.count, best[first] < before else { return }
            } else {
                passing = middle
            }
        }
    }

    /// Lowers two choices by the same amount. This is for properties that depend on the difference of two values.
    nonisolated(nonsending) mutating func lowerPairs(_ body: Body) async {
        await forPairs(within: 6) { shrinker, index, other in
            let amount = min(shrinker.best[index], shrinker.best[other])
            await shrinker.lower(index, upTo: amount, body) { $0[other] -= $1 }
        }
    }

    /// Lowers a choice and raises a later choice by the same amount. This is for properties that depend on a sum.
    nonisolated(nonsending) mutating func moveToTheRight(_ body: Body) async {
        await forPairs(within: 6) { shrinker, index, other in
            let amount = min(shrinker.best[index], .max - shrinker.best[other])
            await shrinker.lower(index, upTo: amount, body) { $0[other] += $1 }
        }
    }

    /// Calls `body` for each pair of choices that are at most `most` positions apart, while tries are left.
    private nonisolated(nonsending) mutating func forPairs(
        within most: Int, _ body: nonisolated(nonsending) (inout Self, Int, Int) async -> Void
    ) async {
        for distance in 1...most {
            var index = 0
            while index + distance < best.count, mayTry {
                await body(&self, index, index + distance)
                index += 1
            }
        }
    }

    /// Lowers the choice at `index` by the largest possible amount. `change` changes another choice by the same amount.
    private nonisolated(nonsending) mutating func lower(
        _ index: Int, upTo most: UInt64, _ body: Body, change: (inout [UInt64], UInt64) -> Void
    ) async {
        guard most > 0, most < .max else { return }
        let start = best
        var (possible, impossible) = (0 as UInt64, most + 1)
        while possible + 1 < impossible, mayTry {
            let amount = possible == 0 ? 1 : possible + (impossible - possible) / 2
            var candidate = start
            candidate[index] -= amount
            change(&candidate, amount)
            if await accepts(candidate, body) {
                guard best == candidate else { return }
                possible = amount
            } else if possible == 0 {
                return
            } else {
                impossible = amount
            }
        }
    }

    /// Sets each choice to one of the smallest numbers. The other passes approach small numbers by halving, and miss
    /// them if the property holds for the numbers in between.
    nonisolated(nonsending) mutating func lowerFar(_ body: Body) async {
        var index = 0
        while index < best.count, mayTry {
            for lower in 0..<min(best[index], 8) {
                if await accepts(best.replacing([index], with: lower), body) { break }
            }
            index += 1
        }
    }

    /// Lowers a small choice and replaces some of the later choices by new ones.
    ///
    /// This is for a generator that chooses one of several generators, which use the later choices in different ways.
    nonisolated(nonsending) mutating func redraw(_ body: Body) async {
        for index in best.indices where mayTry && best[index] <= 16 {
            for lower in 0..<min(best[index], 8) {
                let candidate = best.replacing([index], with: lower)
                for count in [1, 3, best.count] {
                    let positions = index + 1..<min(index + 1 + count, best.count)
                    for seed in 1...2 as ClosedRange<UInt64> {
                        if await accepts(candidate, redrawing: positions, seed: seed, body) { return }
                    }
                }
            }
        }
    }
}

// MARK: - Smaller choices first

extension Shrinker {
    /// Exchanges two choices, or two integers with their signs, or moves the later choice, so that the smaller one
    /// comes first.
    nonisolated(nonsending) mutating func reorder(_ body: Body) async {
        await forPairs(within: 12) { shrinker, index, other in
            let best = shrinker.best
            guard best[index] > best[other] else { return }
            var swapped = best
            swapped.swapAt(index, other)
            guard await !shrinker.accepts(swapped, body) else { return }
            guard await !shrinker.accepts(best.moving(index..<other, to: other + 1), body) else { return }
            guard index + 1 < other, other + 1 < best.count else { return }
            swapped.swapAt(index + 1, other + 1)
            _ = await shrinker.accepts(swapped, body)
        }
    }

    /// Moves elements behind the next element of their list, and into later lists.
    nonisolated(nonsending) mutating func moveElements(_ body: Body) async {
        var list = 0
        while list < lists.count, mayTry {
            var element = 0
            while list < lists.count, element < lists[list].elements.count, mayTry {
                if await !moveElement(element, of: list, body) { element += 1 }
            }
            list += 1
        }
    }

    private nonisolated(nonsending) mutating func moveElement(
        _ element: Int, of list: Int, _ body: Body
    ) async -> Bool {
        let range = lists[list].elements[element]
        let next = lists[list].elements.dropFirst(element + 1).prefix(1).map(\.upperBound)
        let others = lists.dropFirst(list + 1).filter { $0.start >= range.upperBound }
        for target in next + others.reversed().flatMap({ [$0.elements.last?.upperBound ?? $0.start, $0.start] }) {
            let candidate = best.moving(range, to: target)
            guard candidate.isSmaller(than: best) else {
                guard countTry() else { return false }
                continue
            }
            if await accepts(candidate, body) { return true }
        }
        return false
    }
}
