import PropertyTesting
import Testing

/// Generated values lie in their range, cover it, and print as source code.
@Suite("Generators", .seed(7), .cases(2_000), .timeLimit(.minutes(10)))
struct GeneratorTests {
    @Test func eachLevelOfARecursiveValueHasHalfTheSize() throws {
        let size = Gen { source in source.size }
        let sizes = Gen<[Int]>.recursive(size.map { [$0] }) { inner in Gen.zip(size, inner).map { [$0] + $1 } }
        var longest = 0
        for seed in 0..<200 as Range<UInt64> {
            var source = Source(seed: seed, size: 100)
            let found = try sizes.run(&source)
            #expect(found == Array([100, 50, 25, 12, 6, 3, 1].prefix(found.count)))
            longest = max(longest, found.count)
        }
        #expect(longest == 7)
    }

    @Test func aResizedGeneratorDoesNotChangeTheSizeOfTheNext() throws {
        let size = Gen { source in source.size }
        let sizes = Gen.zip(size.resized { $0 / 2 }, size, size.resized { _ in 200 }, size.resized { _ in 0 }, size)
        var source = Source(seed: 1, size: 40)
        #expect(try sizes.run(&source) == (20, 40, 100, 1, 40))
    }

    @Test func excludedValuesLeaveNoChoices() throws {
        let digit = Gen.int(in: 0...9)
        for seed in 0..<20 as Range<UInt64> {
            var source = Source(seed: seed, size: 100)
            #expect(try digit.filter { $0 % 3 == 1 }.run(&source) % 3 == 1)
            #expect(source.count == 1)
        }
    }

    @Test func integersLieInTheirRange() async {
        for range in [0...0, -1...1, 5...9, -9 ... -5, -3...100, Int.min...Int.max, 1...Int.max, Int.min ... -1] {
            await forAll(Gen.int(in: range)) { number in #expect(range.contains(number)) }
        }
        await forAll(Gen<Int8>.integer(in: -128...127), Gen<UInt64>.integer(in: 0 ... .max)) { small, large in
            classify(small == -128, "lowest", atLeast: 0.001)
            classify(small == 127, "highest", atLeast: 0.001)
            classify(large == .max, "largest", atLeast: 0.01)
        }
    }

    @Test func wideIntegersLieInTheirRange() async {
        for range in [-5...5, -5 ... -1, 5...9, .min ... .max, -(1 << 70)...3] as [ClosedRange<Int128>] {
            await forAll(Gen<Int128>.integer(in: range)) { number in #expect(range.contains(number)) }
        }
        let (limit, power) = (1 << 64 as UInt128, 1 << 70 as Int128)
        await forAll(Gen<Int128>.integer, Gen<UInt128>.integer(in: 0...limit + 1)) { near, large in
            #expect((-1_000_000...1_000_000).contains(near))
            classify(near < 0, "negative", atLeast: 0.3)
            #expect(large <= limit + 1)
            classify(large > limit, "beyond 64 bits", atLeast: 0.01)
            classify(large < limit, "within 64 bits", atLeast: 0.3)
        }
        let found = await falsify(Gen<Int128>.integer(in: .min ... .max)) { try require($0 < power, "large") }
        #expect(found?.counterexample == "\(power)")
    }

    @Test func valuesGrowWithTheSize() async {
        var largest: [Int] = []
        var longest: [Int] = []
        _ = await falsify(Gen.int.array(), settings: .init(cases: 100, seed: 1)) { numbers in
            longest.append(numbers.count)
            largest.append(Int(numbers.map(\.magnitude).max() ?? 0))
        }
        #expect(longest.prefix(10).allSatisfy { $0 <= 10 })
        #expect(longest.suffix(10).contains { $0 > 50 })
        #expect(largest.prefix(10).allSatisfy { $0 <= 1_000 })
        #expect(largest.suffix(10).contains { $0 > 10_000 })
    }

    @Test func integersNearZeroAreSometimesLarge() async {
        await forAll(Gen.int, Gen<Int32>.integer, Gen<Int8>.integer) { number, medium, small in
            #expect((-1_000_000...1_000_000).contains(number))
            #expect((-100...100).contains(medium) && (-100...100).contains(small))
            classify(number.magnitude <= 100, "at most a hundred", atLeast: 0.9)
            classify(number.magnitude > 100, "more than a hundred", atLeast: 0.03)
        }
    }

    @Test func theBoundsOfARangeAndItsSimplestIntegerAreFrequent() async {
        for (range, numbers) in [
            (0...1_000, [0, 1_000]), (5...1_000, [5, 1_000]), (-1_000...1_000, [-1_000, 0, 1_000]),
            (-7...1_000, [-7, 0, 1_000]), (-1_000...7, [-1_000, 0, 7]),
        ] {
            await forAll(Gen.int(in: range)) { drawn in
                for number in numbers {
                    classify(drawn == number, "\(number) of \(range)", atLeast: 0.035)
                    classify(drawn != number, "not \(number) of \(range)", atLeast: 0.915)
                }
            }
        }
    }

    @Test func integersOfAWideRangeAreSometimesEqualOrAdjacent() async {
        let ends = [0, 100_000]
        let (wide, signed) = (Gen.int(in: 0...100_000), Gen.int(in: -100_000...100_000))
        await forAll(wide, wide, wide.array(10...10)) { a, b, list in
            let inner = list.filter { !ends.contains($0) }
            classify(a == b && !ends.contains(a), "equal", atLeast: 0.035)
            classify(a != b, "different", atLeast: 0.92)
            classify(abs(a - b) == 1, "neighbours", atLeast: 0.035)
            classify(Set(inner).count < inner.count, "equal elements", atLeast: 0.2)
        }
        await forAll(signed, signed) { a, b in classify(a == b, "equal, with signs", atLeast: 0.02) }
    }

    /// Neither a choice that continues a list nor an integer outside of the range is repeated as an integer.
    @Test func onlyIntegersInTheRangeAreRepeated() async {
        let small = Gen.int(in: 0...20)
        await forAll(Gen.int(in: 0...100_000).array(1...10), small) { list, last in
            classify(!list.contains(1), "without a one", atLeast: 0.9)
            classify(last != 20, "not the end", atLeast: 0.85)
        }
    }

    @Test(.cases(100), arguments: 0..<20 as Range<UInt64>)
    func aHundredCasesFindAnEqualPair(_ seed: UInt64) async {
        let wide = Gen.int(in: 0...100_000)
        let found = await falsify(Gen.zip(wide, wide), settings: .init(seed: seed)) { a, b in
            try require(a != b, "equal")
        }
        #expect(found?.counterexample == "(0, 0)")
    }

    @Test func collectionsHaveTheirSize() async {
        await forAll(Gen.int.array(2...5), Gen.int.set(2...5), Gen.bool.dictionary(of: Gen.int, 1...2)) {
            array, set, entries in
            #expect((2...5).contains(array.count))
            #expect((2...5).contains(set.count))
            #expect((1...2).contains(entries.count))
        }
        let impossible = await falsify(Gen.bool.set(3...4), settings: .init(seed: 1)) { _ in }
        guard case .discarded(ran: 0, _) = impossible?.reason else {
            Issue.record("\(String(describing: impossible))")
            return
        }
    }

    @Test func choicesReachEveryAlternative() async {
        enum Side: CaseIterable, Sendable { case left, right, middle }
        await forAll(Gen<Side>.allCases, Gen.frequency((9, Gen.always(1)), (1, Gen.always(2)), (0, Gen.always(3)))) {
            side, number in
            for other in Side.allCases { classify(side == other, "\(other)", atLeast: 0.25) }
            classify(number == 1, "often", atLeast: 0.85)
            classify(number == 2, "seldom", atLeast: 0.05)
            #expect(number != 3)
        }
        await forAll(Gen.oneOf(Gen.always("a"), Gen.always("b")), Gen.int.optional) { text, number in
            classify(text == "a", "a", atLeast: 0.4)
            classify(text == "b", "b", atLeast: 0.4)
            classify(number == nil, "nil", atLeast: 0.15)
        }
    }

    @Test func textContainsUnusualCharacters() async {
        await forAll(Gen.string) { text in
            classify(text.unicodeScalars.contains { !$0.isASCII }, "not ASCII", atLeast: 0.3)
            classify(text.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 127 }, "emoji", atLeast: 0.02)
            classify(text.contains("\r\n"), "line ends", atLeast: 0.01)
            classify(text.count < text.unicodeScalars.count, "made of several scalars", atLeast: 0.1)
        }
    }

    @Test func floatingPointNumbersAreOfEveryKind() async {
        await forAll(Gen.double, Gen.double(in: -1...2)) { any, within in
            classify(any.isNaN, "NaN", atLeast: 0.005)
            classify(any.isInfinite, "infinite", atLeast: 0.01)
            classify(any == 0 && any.sign == .minus, "negative zero", atLeast: 0.005)
            #expect((-1...2).contains(within))
        }
    }

    @Test func fractionsLieInNarrowRanges() async {
        let bounds = Gen.double(in: -10...10).flatMap { low in
            Gen.zip(Gen.double(in: low...low), Gen.double(in: low...low.nextUp)).map { (low, $0, $1) }
        }
        await forAll(bounds) { low, same, next in
            #expect(same == low)
            #expect(next == low || next == low.nextUp)
        }
    }

    @Test func choicesMayBeGivenAsArrays() async {
        let digits = (0...9).map { Gen.always($0) }
        await forAll(Gen.oneOf(digits), Gen.frequency(digits.map { (1, $0) })) { some, other in
            #expect((0...9).contains(some) && (0...9).contains(other))
            classify(some == 9, "nine", atLeast: 0.05)
        }
    }

    @Test func recursionEnds() async {
        await forAll(Tree.gen) { tree in
            #expect(tree.depth <= 8)
            classify(tree.depth > 3, "deep", atLeast: 0.2)
        }
    }

    @Test func functionsReturnTheSameOutputForTheSameInput() async {
        await forAll(Gen.int.function(of: [String: Int].self), Gen.string.dictionary(of: Gen.int)) {
            function, entries in
            // The same dictionary, filled in another order.
            let again = Dictionary(uniqueKeysWithValues: entries.sorted { $0.key > $1.key })
            #expect(function(entries) == function(again))
        }
        await forAll(Gen.int.function(of: Int.self)) { function in
            classify(Set((0..<20).map { function($0) }).count > 2, "depends on its input", atLeast: 0.3)
        }
    }

    @Test func equalInputsHaveEqualOutputs() async {
        await forAll(Gen.int.function(of: String.self)) { length in
            #expect(length("é") == length("e\u{301}"))
            #expect(length("K") == length("\u{212A}"))
            #expect(length("\u{344}") == length("\u{308}\u{301}"))
            classify(Set("éßñøüåçîõæ你م".map { length(String($0)) }).count > 2, "tells letters apart", atLeast: 0.3)
        }
        await forAll(Gen.int.function(of: [Double].self)) { sum in #expect(sum([0]) == sum([-0.0])) }
        await forAll(Gen.int.function(of: Float?.self)) { sum in #expect(sum(0) == sum(-0.0)) }
        let applications = Gen.int.function(of: GeneratedFunction<Int, Int>.self)
        await forAll(applications, Gen.int.function(of: Int.self), Gen.int.function(of: Int.self)) { apply, f, other in
            let answer = apply(f)
            _ = f(1)
            #expect(apply(f) == answer)
            classify(apply(other) != answer, "tells functions apart", atLeast: 0.1)
        }
    }

    @Test func valuesPrintAsTheirSourceCode() async {
        struct Account: Sendable { var name = "a\n", tags: Set<Int> = [3, 1, 2], kind = Kind.open }
        enum Kind: Sendable {
            case open
            case closed(since: Int, by: String)
            case moved(Int)
        }
        #expect(await text(Account()) == #"Account(name: "a\n", tags: [1, 2, 3], kind: .open)"#)
        #expect(await text(Kind.closed(since: 3, by: "me")) == #".closed(since: 3, by: "me")"#)
        #expect(await text(Kind.moved(1)) == ".moved(1)")
        #expect(await text(["b": 1, "a": 2] as [String: Int]) == #"["a": 2, "b": 1]"#)
        #expect(await text(Optional("x")) == #""x""#)
        #expect(await text([:] as [Int: Int]) == "[:]")
    }

    @Test func charactersPrintAsTheirSourceCode() async {
        #expect(await text(["\n", "\"", "\0", "é"] as [Character]) == #"["\n", "\"", "\0", "é"]"#)
        #expect(await text("a\nb".dropFirst()) == #""\nb""#)
        #expect(await text("\u{FEFF}a\u{200D}b\u{A0}\u{2028}") == #""\u{FEFF}a\u{200D}b\u{A0}\u{2028}""#)
        let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} e\u{301}"
        #expect(await text(family) == "\"\(family)\"")
    }

    @Test func deepOrSharedValuesAreCutOff() async {
        indirect enum List: Sendable {
            case end
            case cons(Int, List)
        }
        let list = (0..<4_000).reduce(List.end) { .cons($1, $0) }
        #expect(await text(list)?.hasPrefix(".cons(3999, .cons(3998, ") == true)
        #expect(await text(list)?.contains("… (at least ") == true)
        final class Node: Sendable {
            let left: Node?, right: Node?
            init(_ left: Node?, _ right: Node?) { (self.left, self.right) = (left, right) }
        }
        let shared = (0..<40).reduce(Node(nil, nil)) { node, _ in Node(node, node) }
        #expect(await text(shared)?.hasPrefix("Node(left: Node(left: ") == true)
        #expect(await text([shared, shared] as [Node])?.hasPrefix("[Node(left: ") == true)
        let sets = (0..<40).reduce([[:]] as [[String: Node]]) { [$0[0].merging(["\($1)": shared]) { $1 }] }
        #expect(await text(sets)?.hasPrefix(#"[["0": Node(left: "#) == true)
        let numbers = [Int](repeating: 1, count: 20_000)
        #expect(await text(numbers)?.contains("… (at least 29") == true)
        #expect(await text(Set(0..<20_000))?.hasPrefix("[0, 1, 10, 100, 1000, 10000, ") == true)
        #expect(
            await text(Dictionary(uniqueKeysWithValues: (0..<4_000).map { ($0, 1) }))?.hasPrefix("[0: 1, 1: 1, 10: 1, ")
                == true)
    }

    @Test func objectsPrintTheirStoredProperties() async {
        // Unchecked: only this test writes `friend`, and only while no call of `text` runs. A write during a call would
        // be a data race.
        class Person: @unchecked Sendable {
            let name = "Ada"
            var friend: Person?
        }
        // Unchecked: adds only a constant to `Person`.
        final class Pupil: Person, @unchecked Sendable { let year = 3 }
        final class Described: Sendable, CustomStringConvertible { let description = "described" }
        final class Debugged: Sendable, CustomDebugStringConvertible { let debugDescription = "debugged" }
        actor Hidden { var count = 0 }
        let pupil = Pupil()
        #expect(await text([pupil]) == #"[Pupil(name: "Ada", friend: nil, year: 3)]"#)
        pupil.friend = pupil
        #expect(await text(pupil) == #"Pupil(name: "Ada", friend: Pupil(…), year: 3)"#)
        pupil.friend = nil
        #expect(await text([Described()]) == "[described]")
        #expect(await text([Debugged()]) == "[debugged]")
        #expect(await text(Hidden()) == "Hidden(…)")
    }

    @Test func longValuesAreCutOff() async {
        let (short, long) = (String(repeating: "a", count: 498), String(repeating: "🇳🇴", count: 1_000))
        #expect(await text(short) == "\"\(short)\"")
        #expect(await text(long) == "\"\(long.prefix(499))… (502 more characters)")
        let found = await falsify(Gen.always(long), examples: [long]) { _ in throw Failed() }
        #expect(found?.counterexample?.hasSuffix("… (502 more characters) (example 1)") == true)
    }

    private func text<Value: Sendable>(_ value: Value) async -> String? {
        await falsify(Gen.always(value)) { _ in throw Failed() }?.counterexample
    }
}
