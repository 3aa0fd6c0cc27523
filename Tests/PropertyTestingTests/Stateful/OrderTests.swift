import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Concurrent programs in generated orders, and in all orders.
@Suite("Orders of concurrent programs", .timeLimit(.minutes(10)))
struct OrderTests {
    /// Adds one twice, and returns the sum. The sum is 1 if the second addition runs while the first one waits.
    ///
    /// First in, first out, the second one begins when the first one has ended.
    private static func sum(_ time: VirtualScheduler) -> Int {
        let count = Guarded(0)
        time.start {
            let before = count.value
            await Task.yield()
            count.value = before + 1
        }
        time.start {
            await Task.yield()
            count.increment()
        }
        time.drain()
        return count.value
    }

    private static func expectTwo(_ order: StepOrder) throws {
        let sum = sum(VirtualScheduler(order: order))
        try require(sum == 2, "The sum is \(sum).")
    }

    @Test func theUsualOrderLosesNoUpdate() {
        #expect(Self.sum(VirtualScheduler()) == 2)
        #expect(Self.sum(VirtualScheduler(order: StepOrder())) == 2)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func aLostUpdateIsFoundShrunkAndReplayed(_ seed: UInt64) async throws {
        let found = try #require(await falsify(Gen.order(), settings: .init(seed: seed)) { try Self.expectTwo($0) })
        #expect(found.message == "The sum is 1.")
        let counterexample = try #require(found.counterexample)
        // The second task overtakes the first one after its first step. No other choice is left.
        #expect(counterexample.wholeMatch(of: #/StepOrder\(\[(0, )*1\]\)/#) != nil, "\(counterexample)")
        let again = await falsify(Gen.order(), settings: .init(cases: 0, replay: found.replay)) {
            try Self.expectTwo($0)
        }
        #expect(again?.counterexample == counterexample)
        #expect(again?.firstSeen == found.firstSeen)
    }

    @Test func aCounterexampleIsReplayedAsSourceCode() async throws {
        let orders = Record<StepOrder>()
        let found = await falsify(Gen.order(), settings: .init(seed: 1)) { order in
            orders.append(order)
            try Self.expectTwo(order)
        }
        // The last run is that of the counterexample.
        let order = try #require(orders.values.last)
        #expect(found?.counterexample == "\(order)")
        #expect(Self.sum(VirtualScheduler(order: StepOrder(order.choices))) == 1)
    }

    // MARK: - Time that races

    /// Returns whether a save that takes a few steps has ended before the time limit, a second later.
    private static func isSavedInTime(_ time: VirtualScheduler) -> Bool {
        let (isSaved, result) = (Guarded(false), Guarded(true))
        time.start {
            try await time.clock.sleep(for: .seconds(1))
            for _ in 0..<3 { await Task.yield() }
            isSaved.value = true
        }
        time.start {
            try await time.clock.sleep(for: .seconds(2))
            result.value = isSaved.value
        }
        time.advance(by: .seconds(2))
        // If time has raced, a sleep that began late has not ended.
        defer { time.advance(by: .seconds(2)) }
        return result.value
    }

    private static func expectInTime(_ order: StepOrder) throws {
        try require(isSavedInTime(VirtualScheduler(order: order)), "It is too late.")
    }

    @Test func onlyTimeThatRacesPassesATimeLimit() async {
        let found = await falsify(Gen.order(racingTime: true)) { try Self.expectInTime($0) }
        #expect(found?.counterexample?.hasSuffix(", racingTime: true)") == true, "\(String(describing: found))")
        await forAll(Gen.order()) { order in #expect(Self.isSavedInTime(VirtualScheduler(order: order))) }
    }

    // MARK: - The generator

    @Test func ordersHaveManyOrFewChoicesOtherThanZero() async {
        let shares = Record<Double>()
        _ = await falsify(Gen.order(), settings: .init(cases: 300, seed: 1)) { order in
            #expect(!order.racesTime)
            guard order.choices.count > 20 else { return }
            shares.append(Double(order.choices.count { $0 > 0 }) / Double(order.choices.count))
        }
        #expect(shares.values.count { $0 == 1 } > 50)
        #expect(shares.values.count { $0 > 0.15 && $0 < 0.5 } > 50)
        #expect(shares.values.count { $0 < 0.12 } > 50)
    }

    @Test func aGeneratedOrderPrintsTheChoicesThatWereMade() async {
        let texts = Record<String>()
        let settings = PropertySettings(cases: 50, seed: 1, shrinkTries: 0)
        let found = await falsify(Gen.order(), settings: settings) { order in
            let before = "\(order)"
            let names = Self.names(VirtualScheduler(order: order))
            texts.append(before)
            #expect(Self.names(VirtualScheduler(order: StepOrder(order.choices))) == names)
            try require(names != "cba", "backwards")
        }
        // Three tasks make two choices.
        #expect(found?.counterexample?.wholeMatch(of: #/StepOrder\(\[\d+, \d+\]\)/#) != nil)
        #expect(texts.values.contains { $0.count > 40 })
    }

    // MARK: - All orders

    /// Runs three tasks, each of which appends its name.
    private static func names(_ time: VirtualScheduler) -> String {
        let log = Log()
        for name in ["a", "b", "c"] { time.start { log.append(name) } }
        time.drain()
        return log.lines.joined()
    }

    @Test func allOrdersAreTriedOnceAndTheSimplestFirst() async {
        let names = Record<String>()
        let orders = Record<StepOrder>()
        let count = await forAllOrders { order in
            orders.append(order)
            names.append(Self.names(VirtualScheduler(order: order)))
        }
        #expect(count == 6)
        #expect(names.values == ["abc", "bac", "cab", "acb", "bca", "cba"])
        #expect(orders.values.map(\.choices) == [[], [1], [2], [0, 1], [1, 1], [2, 1]])
    }

    @Test func aProgramWithoutChoicesHasOneOrder() async {
        #expect(await forAllOrders { VirtualScheduler(order: $0).drain() } == 1)
        #expect(await forAllOrders { _ in } == 1)
    }

    @Test func aLimitLeavesOrdersOut() async {
        let some = await falsifyOrders(limit: 5) { _ = Self.names(VirtualScheduler(order: $0)) }
        #expect(some.count == 5 && !some.isComplete && some.found == nil)
        let all = await falsifyOrders(limit: 6) { _ = Self.names(VirtualScheduler(order: $0)) }
        #expect(all.count == 6 && all.isComplete && all.found == nil)
    }

    @Test func twoSchedulersOfOneOrderMakeTheSameChoices() async {
        let count = await forAllOrders { order in
            #expect(Self.names(VirtualScheduler(order: order)) == Self.names(VirtualScheduler(order: order)))
        }
        #expect(count == 6)
    }

    @Test func theFirstOrderThatFailsHasTheFewestChoices() async throws {
        let result = await falsifyOrders { try Self.expectTwo($0) }
        let found = try #require(result.found)
        #expect(found.message == "The sum is 1.")
        #expect(found.replay == nil)
        let counterexample = try #require(found.counterexample)
        #expect(counterexample.hasSuffix(" (order \(result.count))"))
        #expect(counterexample.hasPrefix("StepOrder(["))
    }

    @Test func timeRacesInAllOrders() async {
        let result = await falsifyOrders(racingTime: true) { try Self.expectInTime($0) }
        #expect(result.found?.counterexample?.contains("racingTime: true") == true)
        let calm = await falsifyOrders { try Self.expectInTime($0) }
        #expect(calm.found == nil && calm.isComplete)
    }

    @Test func aProgramWhoseOrdersAreAllDiscardedFails() async {
        let result = await falsifyOrders { order in
            _ = Self.names(VirtualScheduler(order: order))
            try assume(false)
        }
        #expect(result.found?.message.hasPrefix("Gave up: 6 inputs were discarded and 0 tried.") == true)
    }

    @Test func discardedOrdersAndLabelsCountAsInOtherProperties() async {
        let result = await falsifyOrders { order in
            let names = Self.names(VirtualScheduler(order: order))
            try assume(names != "abc")
            classify(names.hasPrefix("a"), "first", atLeast: 0.5)
        }
        #expect(result.found?.message.contains("first") == true, "\(String(describing: result.found))")
    }
}
