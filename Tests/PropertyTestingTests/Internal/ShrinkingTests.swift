import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Counterexamples are small, and the search for them ends.
@Suite("Shrinking", .seed(20_260_101), .timeLimit(.minutes(10)))
struct ShrinkingTests {
    @Test func aSumIsMinimal() async {
        await expectMinimal(Gen.int(in: 0...100).array(), "[50, 100, 100]", seeds: 0..<20) { $0.reduce(0, +) < 250 }
    }

    @Test func anInputMadeByFlatMapIsMinimal() async {
        let picked = Gen.int(in: 0...100).array(1...20).flatMap { numbers in
            Gen.int(in: 0...numbers.count - 1).map { (numbers, $0) }
        }
        await expectMinimal(picked, "([7], 0)", seeds: 0..<20) { numbers, index in numbers[index] < 7 }
    }

    @Test func aLengthThatIsDrawnFirstIsMinimal() async {
        let sized = Gen.int(in: 0...30).flatMap { Gen.int(in: -9...9).array($0...$0) }
        await expectMinimal(sized, "[0, 0, 0, 0]") { $0.count < 4 }
    }

    @Test func eachKindIsMinimal() async {
        await expectMinimal(Gen.int(in: .min ... .max), "-1001") { $0 >= -1_000 }
        await expectMinimal(Gen.int(in: 7...900), "13") { $0 < 13 }
        await expectMinimal(Gen.int(in: -900 ... -7), "-13") { $0 > -13 }
        await expectMinimal(Gen<UInt8>.integer(in: 0...255), "200") { $0 < 200 }
        await expectMinimal(Gen.string, "\"aaaa\"") { $0.count < 4 }
        await expectMinimal(Gen.int.optional, "nil") { $0 != nil }
        await expectMinimal(Gen.int.optional, "3") { $0.map { $0 < 3 } ?? true }
        await expectMinimal(Gen.int.set(), "[-1, 0, 1]") { $0.count < 3 }
        await expectMinimal(Gen.int.dictionary(of: Gen.bool), "[0: false, 1: false]") { $0.count < 2 }
        await expectMinimal(Gen.element(of: ["a", "b", "c"]), "\"b\"") { $0 == "a" }
        await expectMinimal(Gen.int.filter { $0 % 2 == 0 }, "4") { $0 < 4 }
        await expectMinimal(Gen.double, "10.0") { $0 < 10 || $0.isInfinite || $0 > 100 || $0 != $0.rounded() }
        await expectMinimal(Gen.zip(Gen.int(in: -9...9), Gen.int(in: -9...9)), "(0, 5)") { $0 + $1 < 5 }
        await expectMinimal(Gen.int.result(failure: Gen.always(Failed())), ".failure(Failed())") {
            (try? $0.get()) != nil
        }
        await expectMinimal(Tree.gen, ".fork(.leaf(0), .fork(.leaf(0), .leaf(0)))") { $0.depth < 3 }
    }

    @Test func choicesThatDifferByAnAmountAreLoweredTogether() async {
        let pair = Gen.zip(Gen.int(in: 0...1_000), Gen.bool, Gen.int(in: 0...1_000)).map { [$0, $2] }
        await expectMinimal(pair, "[7, 0]", "[0, 7]") { abs($0[0] - $0[1]) != 7 }
        await expectMinimal(pair, "[10, 3]") { $0[0] < 10 || abs($0[0] - $0[1]) != 7 }
    }

    @Test func choicesThatAreEqualAreLoweredTogether() async {
        let number = Gen.int(in: 0...20)
        await expectMinimal(Gen.zip(number, number, number), "(10, 10, 10)") { $0 < 10 || $0 != $1 || $1 != $2 }
    }

    @Test func amountsMoveToLaterChoices() async {
        let pair = Gen.zip(Gen.int(in: 0...1_000), Gen.bool, Gen.int(in: 0...1_000)).map { [$0, $2] }
        await expectMinimal(pair, "[0, 500]") { $0[0] + $0[1] != 500 }
    }

    /// The length is drawn first. Shrinking must lower it and remove the elements before the failing one.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func aLengthIsLoweredWithAnyOfItsElements(_ seed: UInt64) async {
        let pair = Gen.zip(Gen.int(in: 0...9), Gen.int(in: 0...9)).map { [$0, $1] }
        let sized = Gen.int(in: 1...100).flatMap { pair.array($0...$0) }
        await expectMinimal(sized, "[[0, 9]]", seeds: seed..<seed + 1) { $0.allSatisfy { $0[1] < 9 } }
    }

    @Test func smallerChoicesAreMovedFirst() async {
        let (number, signed) = (Gen.int(in: 0...9), Gen.int(in: -5...5))
        await expectMinimal(Gen.zip(number, number), "(3, 5)") { Set([$0, $1]) != [3, 5] }
        await expectMinimal(Gen.zip(signed, signed), "(3, 5)") { Set([$0, $1]) != [3, 5] }
        await expectMinimal(Gen.zip(signed, signed), "(-3, 5)") { Set([$0, $1]) != [-3, 5] }
        let few = Gen.int(in: 0...4)
        await expectMinimal(Gen.zip(few, few, few).map { [$0, $1, $2] }, "[1, 2, 3]") {
            $0 != [2, 3, 1] && $0 != [1, 2, 3]
        }
    }

    @Test func elementsMoveBehindOthersAndToLaterLists() async {
        let list = Gen.int(in: 0...9).array(0...9)
        await expectMinimal(Gen.zip(list, Gen.int(in: 1...9), list), "([], 1, [3, 5])") {
            !Set($0 + $2).isSuperset(of: [3, 5])
        }
        let lists = Gen.int(in: 0...9).array(1...20).array(0...9)
        await expectMinimal(lists, "[[0], \([Int](repeating: 0, count: 15))]") { lists in
            !lists.contains { $0.count == 1 } || !lists.contains { $0.count >= 15 }
        }
    }

    /// The last number is the index of the last element.
    @Test func removingAnElementLowersItsCountInOthers() async {
        let indices = Gen.int(in: 0...10).array(1...10)
        await expectMinimal(indices, "[0, 0, 2]", seeds: 0..<20) {
            $0.count < 3 || $0.last != $0.count - 1 || ($0.count == 3 && $0[0] > 0)
        }
    }

    /// The property holds between the smallest counterexample and the others.
    @Test func aChoiceIsLoweredPastPassingValues() async {
        await expectMinimal(Gen.int(in: 0...1_000), "3", seeds: 0..<20) { $0 != 3 && $0 < 700 }
    }

    /// Choices that fail with the second generator pass with the first.
    @Test func anAlternativeGeneratorIsTriedWithNewChoices() async {
        let number = Gen.oneOf(Gen.int(in: 0...1_000), Gen.int(in: 700...701))
        await expectMinimal(Gen.zip(number, Gen.bool).map { $0.0 }, "501", seeds: 0..<20) { $0 <= 500 }
    }

    /// Small cases come first. A counterexample from a small case can shrink to a value that only larger cases draw.
    @Test func theSizeOfTheCaseDoesNotBoundTheCounterexample() async {
        await expectMinimal(Gen.double, "4.0", seeds: 0..<20) { !($0 > 3.3) }
        await expectMinimal(Gen.double, "51.0", seeds: 0..<20) { !($0 > 50) }
        for seed in 0..<10 as Range<UInt64> {
            let found = await falsify(
                Gen.int.array(), settings: .init(cases: 0, replay: Replay("\(String(seed + 7, radix: 36))-9"))
            ) { numbers in try require(numbers.reduce(0) { $0 + abs($1) } < 11, "large") }
            #expect(found == nil || found?.counterexample == "[11]")
        }
    }

    @Test func theSizeItselfIsMinimal() async {
        let sized = Gen.sized { size in Gen.zip(Gen.always(size), Gen.int(in: 0...9)) }
        // A single case has the largest size.
        let settings = PropertySettings(cases: 1, seed: 1)
        let large = await falsify(sized, settings: settings) { size, _ in try require(size < 37, "large") }
        #expect(large?.counterexample == "(37, 0)")
        let any = await falsify(sized, settings: settings) { _, _ in throw Failed() }
        #expect(any?.counterexample == "(1, 0)")
    }

    @Test func aFunctionIsMinimalAndPrintsItsEntries() async {
        let function = Gen.int(in: 0...9).function(of: Int.self)
        await expectMinimal(function, "{_ → 5}") { $0(1) < 5 }
        await expectMinimal(function, "{1 → 0, 2 → 1, …}", "{1 → 1, 2 → 0, …}") { $0(1) == $0(2) }
    }

    /// Only a few of a thousand elements matter. There are fewer tries than elements and choices, so shrinking cannot
    /// remove them, or set them to zero, one by one.
    @Test(arguments: 0..<3 as Range<UInt64>) func longInputsAreMinimal(_ seed: UInt64) async {
        func expectMinimal<Value>(
            _ generator: Gen<Value>, _ expected: String, tries: Int = 600,
            at location: SourceLocation = #_sourceLocation, _ holds: @escaping (Value) -> Bool
        ) async {
            await self.expectMinimal(
                generator, expected, seeds: seed..<seed + 1, tries: tries, at: location, holds)
        }
        let numbers = Gen.int(in: 0...1_000).array(0...1_000)
        await expectMinimal(numbers, "[501, 501]") { numbers in
            var seen: Set<Int> = []
            return numbers.allSatisfy { $0 <= 500 || seen.insert($0).inserted }
        }
        await expectMinimal(numbers, "[501, 1000, 1000]") { $0.reduce(0, +) <= 2_500 }
        await expectMinimal(numbers, "[777]") { !$0.contains(777) }
        await expectMinimal(numbers, "\([Int](repeating: 501, count: 15))") { $0.count { $0 > 500 } < 15 }
        let atLeast = Gen.int(in: -1_000...1_000).array(300...1_000).map { [$0.count, $0.max() ?? 0] }
        await expectMinimal(atLeast, "[300, 501]", tries: 2_000) { $0[1] <= 500 }
        await expectMinimal(Gen.string.array(0...300), #"["aaaaaaaa"]"#) { $0.allSatisfy { $0.count < 8 } }
        let nested = Gen.int(in: 0...9).array(0...40).array(0...40)
        await expectMinimal(nested, "[[0, 0, 0, 0, 0, 0, 0, 1]]") { $0.allSatisfy { $0.count < 8 || $0.last == 0 } }
        let fixed = Gen.int(in: 0...1_000).array(1_000...1_000).map { [$0[700], $0.max() ?? 0, $0.reduce(0, +)] }
        await expectMinimal(fixed, "[501, 501, 501]") { $0[0] <= 500 }
    }

    /// The elements have three choices each, so no other pass moves them.
    @Test func elementsOfSeveralChoicesAreMoved() async {
        let element = Gen<[Int]> { source in (0..<3).map { _ in Int(source.choose(upTo: 2)) } }
        let wanted = [[2, 1, 1], [1, 2, 2]]
        func holds(_ lists: [[Int]]) -> Bool { lists.count != 2 || Set(lists) != Set(wanted) }
        let settings = { PropertySettings(cases: 20_000, seed: $0) }
        for seed in 0..<4 as Range<UInt64> {
            let list = await falsify(element.array(0...2), settings: settings(seed)) { list in
                try require(holds(list), "moved")
            }
            #expect(list?.counterexample == "[[1, 2, 2], [2, 1, 1]]")
            let lists = Gen.zip(element.array(0...2), element.array(0...2))
            let pair = await falsify(lists, settings: settings(seed)) { first, second in
                try require(holds(first + second), "moved")
            }
            #expect(pair?.counterexample == "([], [[1, 2, 2], [2, 1, 1]])")
        }
    }

    /// Tries that do not call the body count, too. Without that, the time grows with the square of the length.
    @Test("The cost of shrinking grows linearly with the input", .countsSteps)
    func cost() {
        func cost(_ numbers: Gen<[Int]>, tries: Int = 2_000, _ holds: @escaping @Sendable ([Int]) -> Bool) -> Int {
            steps {
                _ = try? VirtualScheduler().run {
                    await falsify(numbers, settings: .init(seed: 1, shrinkTries: tries)) { numbers in
                        try require(holds(numbers), "fails")
                    }
                }
            }
        }
        #expect(growth(from: 250, to: 1_000) { cost(Gen.int.array($0...$0)) { _ in false } } < 1.4)
        #expect(
            growth(from: 250, to: 1_000) { count in cost(Gen.int.array(count...count)) { $0[count / 2] <= 20 } } < 1.4)
        // Whichever element is left out, the candidate is the same.
        #expect(
            growth(from: 500, to: 2_000) { count in
                cost(Gen.int(in: 0...0).array(0...count), tries: 50) { $0.count < count / 2 }
            } < 1.4)
    }

    /// Each run of the generator takes a second. Some runs only look for choices that are lengths.
    @Test(arguments: 1...100) func noRunOfTheGeneratorBeginsAfterTheLimitOfTime(_ seconds: Int) async {
        let (clock, runs) = (VirtualClock(), Guarded(0))
        let numbers = Gen.int(in: 1...9).array(12...12)
        let slow = Gen<[Int]> { source throws(Discarded) in
            runs.increment()
            clock.advance(by: .seconds(1))
            return try numbers.run(&source)
        }
        var settings = PropertySettings(cases: 1, seed: 1, shrinkTime: .seconds(seconds))
        settings.clock = clock
        var first: [Int]?
        let found = await falsify(slow, settings: settings) { numbers in
            first = first ?? numbers
            try require(numbers != first, "the first")
        }
        #expect(found?.counterexample == found?.firstSeen)
        // The first run is the case.
        #expect(runs.value - 1 <= seconds)
    }

    @Test(arguments: [0, 1, 7, 100]) func theReportSaysThatTheLimitOfTriesStoppedTheSearch(_ limit: Int) async {
        func found(_ limit: Int) async -> Falsified? {
            await falsify(Gen.int.array(100...200), settings: .init(seed: 3, shrinkTries: limit)) { numbers in
                try require(numbers.reduce(0) { $0 + abs($1) } < 20, "large")
            }
        }
        #expect(await found(limit)?.history?.hasSuffix("in \(limit) tries, stopped by the limit of tries") == true)
        let all = await falsify(Gen.int(in: 0...1_000), settings: .init(seed: 3)) { try require($0 < 20, "large") }
        #expect(all?.history?.hasSuffix("tries") == true)
        #expect(all?.history?.contains("stopped") == false)
    }

    /// Each try takes a second.
    @Test(arguments: [-1, 0, 1, 10]) func theReportSaysThatTheLimitOfTimeStoppedTheSearch(_ seconds: Int) async {
        let clock = VirtualClock()
        var settings = PropertySettings(cases: 1, seed: 3, shrinkTime: .seconds(seconds))
        settings.clock = clock
        var calls = 0
        let found = await falsify(Gen.int(in: .min ... .max).array(100...200), settings: settings) { numbers in
            calls += 1
            if calls > 2 { clock.advance(by: .seconds(1)) }
            try require(numbers.allSatisfy { $0 < 1_000 }, "large")
        }
        #expect(found?.history?.hasSuffix("tries, stopped by the limit of time") == true)
        // The first call, the call to see whether it fails again, and one for the shrunk input if there is one.
        #expect(calls - 2 == max(seconds, 0) + (found?.counterexample == found?.firstSeen ? 0 : 1))
    }

    @Test func aBodyThatFailsOnceIsNotShrunk() async {
        var calls = 0
        let found = await falsify(Gen.int.array(50...100), settings: .init(seed: 1)) { _ in
            calls += 1
            try require(calls != 5, "once")
        }
        #expect(calls == 6)
        guard case .flaky = found?.reason else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(found?.history == "case 5 of 100, 0 shrinks in 0 tries")
        #expect(found?.counterexample == found?.firstSeen)
    }

    @Test func anInputThatIsDiscardedWhenItIsTriedAgainIsFlaky() async {
        var calls = 0
        let found = await falsify(Gen.int) { _ in
            calls += 1
            if calls == 1 { throw Failed() }
            try assume(calls > 2)
        }
        #expect(found?.message == "Failed()")
        guard case .flaky = found?.reason else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    /// The number of tries in a report.
    private func tries(_ found: Falsified?) -> Int {
        (found?.history ?? "").split { !$0.isNumber }.compactMap { Int($0) }.last ?? 0
    }

    /// The generators continue as long as their choices are 0, and choices that were removed read as 0.
    @Test func shrinkingEndsForUnboundedGenerators() async {
        let rolls = Gen<Int> { source in
            var count = 0
            while source.choose(upTo: 3) != 3 { count += 1 }
            return count
        }
        await expectMinimal(rolls, "2") { $0 < 2 }
        @Sendable func stopping() -> Gen<[Int]> {
            Gen.bool.flatMap { stops in
                stops ? Gen.always([]) : Gen.zip(Gen.int, stopping()).map { number, rest in [number] + rest }
            }
        }
        await expectMinimal(stopping(), "[0, 0]") { $0.count < 2 }
    }

    /// New choices can make lists much longer than those of the best input.
    @Test func noAttemptGeneratesManyMoreElementsThanTheFirstInput() async throws {
        let made = Guarded(0)
        let number = Gen.int(in: 0...9).map { number in
            made.increment()
            return number
        }
        for seed in 0..<5 as Range<UInt64> {
            var before: Int?
            let found = await falsify(number.array().array(), settings: .init(cases: 1_000, seed: seed)) { lists in
                guard lists.joined().count > 10 else { return }
                before = before ?? made.value
                throw Failed()
            }
            #expect(found?.counterexample == "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]")
            let madeToShrink = try #require(before.map { start in made.value - start })
            #expect(madeToShrink < tries(found) * 20)
        }
    }

    @Test func shrinkingEndsForBodiesThatFailAlwaysOrAtRandom() async {
        var calls = 0
        let all = await falsify(Gen.int.array(100...200), settings: .init(seed: 3)) { _ in
            calls += 1
            throw Failed()
        }
        #expect(all != nil)
        #expect(calls < 2_010)
        calls = 0
        _ = await falsify(Gen.int(in: .min ... .max).array(300...400), settings: .init(seed: 4)) { numbers in
            calls += 1
            if numbers.hashValue % 2 == 0 { throw Failed() }
        }
        #expect(calls < 2_110)
    }

    @Test func aFailureFoundBeforeCancellationIsReported() async {
        let (found, calls) = await Task {
            var calls = 0
            let found = await falsify(Gen.int.array(50...60), settings: .init(cases: 1, seed: 3)) { _ in
                calls += 1
                if calls == 1 { throw Failed() }
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
            return (found, calls)
        }.value
        #expect(calls == 2)
        #expect(found?.message == "Failed()")
        #expect(found?.history == "case 1 of 1, 0 shrinks in 0 tries, stopped by the cancellation")
        #expect(found?.counterexample == found?.firstSeen)
    }

    @Test func aFailureThatDoesNotRecurIsReportedAsFlaky() async {
        var calls = 0
        let found = await falsify(Gen.always(1), settings: .init(seed: 3)) { _ in
            calls += 1
            if calls == 1 { throw Failed() }
        }
        guard case .flaky = found?.reason else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    private func expectMinimal<Value>(
        _ generator: Gen<Value>, _ expected: String..., seeds: Range<UInt64> = 0..<5,
        tries: Int = 2_000, at location: SourceLocation = #_sourceLocation,
        _ holds: @escaping (Value) -> Bool
    ) async {
        for seed in seeds {
            let found = await falsify(generator, settings: .init(cases: 2_000, seed: seed, shrinkTries: tries)) {
                value in
                try require(holds(value), "does not hold")
            }
            let text = found?.counterexample ?? "none"
            #expect(expected.contains(text), "seed \(seed): \(text)", sourceLocation: location)
        }
    }
}

struct Failed: Error, Equatable {}

indirect enum Tree: Sendable {
    case leaf(Int)
    case fork(Tree, Tree)

    static let gen = Gen<Tree>.recursive(Gen.int.map(Tree.leaf)) { inner in
        Gen<(Tree, Tree)>.zip(inner, inner).map { Tree.fork($0, $1) }
    }

    var depth: Int {
        switch self {
        case .leaf: 1
        case .fork(let left, let right): 1 + max(left.depth, right.depth)
        }
    }
}
