/// Makes a failing input small by editing the choices it was made of.
///
/// A list of choices counts as smaller when it is shorter or, among equally long ones, when its first different choice
/// is: there is no endless way down, and a limit of tries besides.
struct Shrinker<Input> {
    typealias Body = nonisolated(nonsending) (Input) async throws -> Void

    let generator: Gen<Input>
    let size: Int
    let limit: Int
    private(set) var best: [UInt64]
    /// Where the elements of each list lie among the choices of `best`.
    private var lists: [[Range<Int>]] = []
    private(set) var input: Input
    private(set) var error: any Error
    private(set) var shrinks = 0
    private(set) var tries = 0
    private var seen: Set<[UInt64]> = []

    init(generator: Gen<Input>, size: Int, limit: Int, best: [UInt64], input: Input, error: any Error) {
        self.generator = generator
        self.size = size
        self.limit = limit
        self.best = best
        self.input = input
        self.error = error
    }

    nonisolated(nonsending) mutating func run(_ body: Body) async {
        findLists()
        var before = -1
        while before != shrinks, tries < limit {
            before = shrinks
            await leaveOutElements(body)
            await clearBlocks(body)
            await deleteBlocks(body)
            await lowerEach(body)
            await lowerEqual(body)
            await reorder(body)
            await moveToTheRight(body)
        }
    }

    private mutating func findLists() {
        var source = Source(repeating: best, size: size, limit: best.count)
        if (try? generator.run(&source)) != nil { lists = source.lists }
    }

    /// Whether `candidate` fails too and is smaller; it is then the best.
    private nonisolated(nonsending) mutating func accepts(_ candidate: [UInt64], _ body: Body) async -> Bool {
        // A cancelled body fails for every input.
        guard tries < limit, !Task.isCancelled else { return false }
        tries += 1
        var source = Source(repeating: candidate, size: size, limit: best.count)
        guard
            let input = try? generator.run(&source), !source.isOverLimit, Self.isSmaller(source.choices, than: best),
            seen.insert(source.choices).inserted
        else { return false }
        do {
            try await body(input)
            return false
        } catch is Discarded {
            return false
        } catch {
            guard !Task.isCancelled else { return false }
            best = source.choices
            lists = source.lists
            self.input = input
            self.error = error
            shrinks += 1
            return true
        }
    }

    private static func isSmaller(_ left: [UInt64], than right: [UInt64]) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    // MARK: - Ways to make it smaller

    /// Leaves elements of lists out: all of a list, then half of them, a quarter, and at last each.
    private nonisolated(nonsending) mutating func leaveOutElements(_ body: Body) async {
        var length = lists.map(\.count).max() ?? 0
        while length > 0, tries < limit {
            var list = 0
            while list < lists.count, tries < limit {
                var end = lists[list].count
                // A shorter list had its turn when all of it was left out.
                while end > 0, length <= lists[list].count, tries < limit {
                    let start = max(0, end - length)
                    var candidate = best
                    candidate.removeSubrange(lists[list][start].lowerBound..<lists[list][end - 1].upperBound)
                    _ = await accepts(candidate, body)
                    guard list < lists.count else { break }
                    end = min(start, lists[list].count)
                }
                list += 1
            }
            length /= 2
        }
    }

    /// Makes all choices of a block the simplest ones, but for those that say how long lists are: all, then halves, …
    private nonisolated(nonsending) mutating func clearBlocks(_ body: Body) async {
        var (marks, length) = (elementMarks, best.count)
        while length > 1, tries < limit {
            var start = 0
            while start < best.count, tries < limit {
                let block = start..<min(start + length, best.count)
                let indices = block.filter { best[$0] > 0 && !marks.contains($0) }
                if !indices.isEmpty, await accepts(best.replacing(indices, with: 0), body) { marks = elementMarks }
                start += length
            }
            length /= 2
        }
    }

    /// The choices that say that a list has one more element.
    private var elementMarks: Set<Int> {
        Set(lists.lazy.joined().map(\.lowerBound))
    }

    private nonisolated(nonsending) mutating func deleteBlocks(_ body: Body) async {
        // What is no list's is seldom long: a long input would use up all tries here.
        let limit = tries + (limit - tries) / 4
        var length = best.count
        while length > 0, tries < limit {
            var start = best.count - length
            while start >= 0, tries < limit {
                var candidate = best
                candidate.removeSubrange(start..<start + length)
                if await accepts(candidate, body) {
                    start = min(start, best.count - length)
                } else {
                    start -= max(1, length / 4)
                }
            }
            length = length > 8 ? length / 2 : length - 1
        }
    }

    /// Makes choices that are equal smaller together: where equality matters.
    private nonisolated(nonsending) mutating func lowerEqual(_ body: Body) async {
        let marks = elementMarks
        let groups = Dictionary(grouping: best.indices.filter { best[$0] > 0 && !marks.contains($0) }) { best[$0] }
        for (_, indices) in groups.sorted(by: { $0.key > $1.key }) where indices.count > 1 {
            await lower(indices, body)
        }
    }

    private nonisolated(nonsending) mutating func lowerEach(_ body: Body) async {
        var index = 0
        while index < best.count, tries < limit {
            await lower([index], body)
            index += 1
        }
    }

    /// Makes the choices at `indices`, which are equal, as small as they can be together.
    private nonisolated(nonsending) mutating func lower(_ indices: [Int], _ body: Body) async {
        guard let first = indices.first, let last = indices.last, last < best.count, best[first] > 0,
            await !accepts(best.replacing(indices, with: 0), body)
        else { return }
        var passing: UInt64 = 0
        while last < best.count, best[first] > passing + 1, tries < limit {
            let middle = passing + (best[first] - passing) / 2
            let before = best[first]
            if await accepts(best.replacing(indices, with: middle), body) {
                guard last < best.count, best[first] < before else { return }
            } else {
                passing = middle
            }
        }
    }

    /// Puts smaller choices before larger ones.
    private nonisolated(nonsending) mutating func reorder(_ body: Body) async {
        for distance in 1...4 {
            var index = 0
            while index + distance < best.count, tries < limit {
                if best[index] > best[index + distance] {
                    var candidate = best
                    candidate.swapAt(index, index + distance)
                    _ = await accepts(candidate, body)
                }
                index += 1
            }
        }
    }

    /// Makes a choice smaller and a later one larger by as much: where a sum matters.
    private nonisolated(nonsending) mutating func moveToTheRight(_ body: Body) async {
        for distance in 1...6 {
            var index = 0
            while index + distance < best.count, tries < limit {
                await move(from: index, to: index + distance, body)
                index += 1
            }
        }
    }

    private nonisolated(nonsending) mutating func move(from index: Int, to other: Int, _ body: Body) async {
        let (from, into, length) = (best[index], best[other], best.count)
        guard from > 0, from < .max, into.addingReportingOverflow(from).overflow == false else { return }
        var (possible, impossible) = (0 as UInt64, from + 1)
        while possible + 1 < impossible, tries < limit {
            let amount = possible == 0 ? 1 : possible + (impossible - possible) / 2
            let candidate = best.replacing([index], with: from - amount).replacing([other], with: into + amount)
            if await accepts(candidate, body) {
                guard best.count == length, best[index] == from - amount else { return }
                possible = amount
            } else if possible == 0 {
                return
            } else {
                impossible = amount
            }
        }
    }
}

extension [UInt64] {
    fileprivate func replacing(_ indices: [Int], with choice: UInt64) -> [UInt64] {
        var copy = self
        for index in indices { copy[index] = choice }
        return copy
    }
}
