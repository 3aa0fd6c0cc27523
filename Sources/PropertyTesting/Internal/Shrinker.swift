import FunctionalCore

/// A search for a smaller failing input, which edits the choices of the input.
///
/// A list of choices is smaller than another if it is shorter. If both have the same length, the one whose first
/// different choice is smaller is the smaller list. So the search cannot continue forever. The number of tries and the
/// time are limited, too.
///
/// A try may take time that is linear in the number of choices. Whatever takes as long counts as a try: each candidate,
/// also one that was tried before, and each run of the generator. So the limit of tries also limits the time of a search
/// whose body is fast, and that is quadratic otherwise.
struct Shrinker<Input> {
    typealias Body = nonisolated(nonsending) (Input) async throws -> Void

    let generator: Gen<Input>
    private var limit: Int
    /// The time at which the search ends, and the function that returns the time.
    private let (end, elapsed): (Duration, @Sendable () -> Duration)
    private(set) var size: Int
    private(set) var best: [UInt64]
    /// The lists among the choices of `best`.
    private(set) var lists: [Source.List] = []
    private(set) var input: Input
    private(set) var error: any Error
    private(set) var shrinks = 0
    private(set) var tries = 0
    /// The limit that has ended the search before all tries were made since the last shrink, or `nil`.
    private(set) var stop: String?
    /// The number of tries at which the current pass ends.
    private var allowance = 0
    private var seen: Set<Candidate> = []

    init(
        generator: Gen<Input>, size: Int, settings: PropertySettings, best: [UInt64], input: Input, error: any Error
    ) {
        self.generator = generator
        self.size = size
        limit = settings.shrinkTries
        elapsed = AnyClock(settings.clock).elapsed
        end = settings.shrinkTime
        stop = limit == 0 ? Self.triesStop : nil
        self.best = best
        self.input = input
        self.error = error
    }

    /// A pass. It may use the remaining tries divided by `part`. Passes over all pairs of choices get a fraction of
    /// them.
    private typealias Pass = (part: Int, run: nonisolated(nonsending) (inout Self, Body) async -> Void)

    private static var triesStop: String { "the limit of tries" }

    private static var passes: [Pass] {
        [
            (1, { await $0.lowerSize($1) }),
            (2, { await $0.leaveOutElements($1) }),
            (1, { await $0.clearBlocks($1) }),
            (4, { await $0.deleteBlocks($1) }),
            (1, { await $0.lowerEach($1) }),
            (1, { await $0.lowerEqual($1) }),
            (1, { await $0.lowerLengths($1) }),
            (4, { await $0.lowerPairs($1) }),
            (4, { await $0.reorder($1) }),
            (4, { await $0.moveElements($1) }),
            (1, { await $0.moveToTheRight($1) }),
        ]
    }

    /// The passes that rarely succeed. They run if the others do not make the input smaller.
    private static var lastPasses: [Pass] {
        [
            (4, { await $0.leaveOutAndRenumber($1) }),
            (4, { await $0.lowerFar($1) }),
            (4, { await $0.redraw($1) }),
        ]
    }

    nonisolated(nonsending) mutating func run(_ body: Body) async {
        lists = source(of: best)?.lists ?? []
        var before = -1
        while before != shrinks, tries < limit {
            await runPasses(body)
            before = shrinks
            for pass in Self.lastPasses where before == shrinks { await run(pass, body) }
        }
    }

    /// Runs the passes in turn until none of them makes the input smaller.
    private nonisolated(nonsending) mutating func runPasses(_ body: Body) async {
        let passes = Self.passes
        var (next, idle) = (0, 0)
        while idle < passes.count, tries < limit {
            let before = shrinks
            await run(passes[next], body)
            idle = before == shrinks ? idle + 1 : 0
            next = (next + 1) % passes.count
        }
    }

    private nonisolated(nonsending) mutating func run(_ pass: Pass, _ body: Body) async {
        allowance = tries + (limit - tries) / pass.part
        await pass.run(&self, body)
        if !mayTry { stop = stop ?? Self.triesStop }
    }

    /// Whether the current pass may continue.
    var mayTry: Bool { tries < allowance }

    /// Counts a try. Returns `false` instead if the pass or the search must end.
    mutating func countTry() -> Bool {
        guard mayTry else { return false }
        // After a cancellation, the body may fail for any input.
        if Task.isCancelled { stop = "the cancellation" } else if elapsed() >= end { stop = "the limit of time" }
        guard stop == nil || stop == Self.triesStop else {
            (limit, allowance) = (tries, tries)
            return false
        }
        tries += 1
        return true
    }

    /// Returns the source after the generator has run with `choices`, or `nil` if they lead to no value.
    func source(of choices: [UInt64]) -> Source? {
        var source = Source(repeating: choices, size: size, limit: best.count)
        return (try? generator.run(&source)) == nil || source.isOverLimit ? nil : source
    }

    /// Tries smaller sizes, for generators that depend on the size.
    private nonisolated(nonsending) mutating func lowerSize(_ body: Body) async {
        var passing = 0
        while size > passing + 1, mayTry {
            let smaller = passing == 0 ? 1 : passing + (size - passing) / 2
            if await !accepts(Candidate(choices: best, size: smaller), body) { passing = smaller }
        }
    }

    /// Returns whether `choices` lead to a smaller input that also fails. If so, this input becomes the best input.
    nonisolated(nonsending) mutating func accepts(_ choices: [UInt64], _ body: Body) async -> Bool {
        await accepts(Candidate(choices: choices, size: size), body)
    }

    /// Returns whether `choices`, with new choices at some positions, lead to a smaller input that also fails.
    ///
    /// The new choices are made at the largest size.
    nonisolated(nonsending) mutating func accepts(
        _ choices: [UInt64], redrawing positions: Range<Int>, seed: UInt64, _ body: Body
    ) async -> Bool {
        await accepts(Candidate(choices: choices, size: 100, redrawn: positions, seed: seed), body)
    }

    private nonisolated(nonsending) mutating func accepts(_ candidate: Candidate, _ body: Body) async -> Bool {
        guard countTry(), seen.insert(candidate).inserted else { return false }
        var source = Source(
            repeating: candidate.choices, redrawing: candidate.redrawn, seed: candidate.seed, size: candidate.size,
            limit: best.count)
        guard
            let input = try? generator.run(&source), !source.isOverLimit,
            isSmaller(source.choices, candidate.size),
            source.choices == candidate.choices
                || seen.insert(Candidate(choices: source.choices, size: candidate.size)).inserted
        else { return false }
        do {
            try await body(input)
            return false
        } catch is Discarded {
            return false
        } catch {
            guard !Task.isCancelled else { return false }
            if best != source.choices { shrinks += 1 }
            stop = nil
            best = source.choices
            size = candidate.size
            lists = source.lists
            self.input = input
            self.error = error
            return true
        }
    }

    private func isSmaller(_ choices: [UInt64], _ size: Int) -> Bool {
        choices == best ? size < self.size : choices.isSmaller(than: best)
    }
}

/// The choices and the size with which a shrinker runs a generator. The type is not nested in `Shrinker`, so that a set
/// of candidates is not generic.
private struct Candidate: Hashable {
    var choices: [UInt64]
    var size: Int
    var redrawn = 0..<0
    var seed: UInt64 = 0

    /// Hashes only the choices, because few candidates have equal choices.
    func hash(into hasher: inout Hasher) {
        hasher.combine(choices)
    }
}

extension [UInt64] {
    func isSmaller(than other: [UInt64]) -> Bool {
        count == other.count ? lexicographicallyPrecedes(other) : count < other.count
    }

    func replacing(_ indices: [Int], with choice: UInt64) -> [UInt64] {
        var copy = self
        for index in indices { copy[index] = choice }
        return copy
    }

    func removing(_ range: Range<Int>) -> [UInt64] {
        var copy = self
        copy.removeSubrange(range)
        return copy
    }

    /// Returns the list with the choices of `range` moved before the choice at `target`, which is after the range.
    func moving(_ range: Range<Int>, to target: Int) -> [UInt64] {
        Array(self[..<range.lowerBound] + self[range.upperBound..<target] + self[range] + self[target...])
    }
}
