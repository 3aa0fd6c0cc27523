import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct Flaw: Error, Equatable {
    var name: String
}

private typealias Held = Resource<Log, Flaw, String>
private typealias Program<Value> = EnvIO<Log, Flaw, Value>

private func write(_ line: String, failing: Bool = false) -> Program<Void> {
    EnvIO { (log: Log) throws(Flaw) in
        log.append(line)
        if failing { throw Flaw(name: line) }
    }
}

private func held(_ name: String, failingToRelease: Bool = false) -> Held {
    Resource(acquire: write("+\(name)").as(name), release: { write("-\($0)", failing: failingToRelease) })
}

/// Uses `resource` with `body`, and returns the outcome and the log.
private func end<Value, Result: Sendable>(
    of resource: Resource<Log, Flaw, Value>,
    _ body: @escaping @Sendable (Value) -> Program<Result>
) async -> (Outcome<Result, Flaw>, [String]) {
    let log = Log()
    let outcome = await resource.use(body).outcome(log)
    return (outcome, log.lines)
}

@Suite("Resource: environments", .timeLimit(.minutes(10)))
struct ResourceEnvironmentTests {
    private struct Shop: Sendable {
        var log = Log()
        var shelf = "shelf"
        var door = Door()
    }

    private struct Door: Sendable {
        var name = "door"
    }

    /// Returns a resource that logs the place in the environment when it is acquired and released.
    private func told(_ name: String) -> Resource<(Log, String), Flaw, String> {
        Resource(
            acquire: EnvIO { log, place in
                log.append("+\(name) at \(place)")
                return name
            },
            release: { _ in EnvIO { log, place in log.append("-\(name) at \(place)") } })
    }

    private func use(_ line: String) -> EnvIO<Shop, Flaw, Void> {
        EnvIO { shop in shop.log.append("\(line) in the shop of the \(shop.shelf)") }
    }

    @Test(arguments: ["value", "failure", "cancelled"])
    func eachPartReceivesItsEnvironment(_ end: String) async {
        let (shop, failed) = (Shop(), EnvIO<Shop, Flaw, Void>.fail(Flaw(name: "use")))
        let shelf = told("book").contramap { (shop: Shop) in (shop.log, shop.shelf) }
        let door = told("key").contramap { (shop: Shop) in (shop.log, shop.door.name) }
        let program = shelf.zip(door).use { book, key in
            use("\(book) and \(key)").followed(by: end == "value" ? .pure(()) : end == "failure" ? failed : .cancelled)
        }
        _ = await program.guarantee(use("after")).followed(by: use("next")).outcome(shop)
        #expect(
            shop.log.lines == [
                "+book at shelf", "+key at door", "book and key in the shop of the shelf", "-key at door",
                "-book at shelf", "after in the shop of the shelf",
            ] + (end == "value" ? ["next in the shop of the shelf"] : []))
    }

    @Test func environmentsCanBeNestedAndProvided() async {
        let log = Log()
        let given = told("book").provide((log, "given")) as Resource<Door, Flaw, String>
        let nested = given.flatMap { book in
            Resource<Door, Flaw, String>(EnvIO { door in "\(book) of the \(door.name)" })
        }
        let twice = nested.contramap { (shop: Shop) in shop.door }.contramap { (shop: Shop?) in shop ?? Shop() }
        let program = twice.use { name in EnvIO<Shop?, Flaw, String> { shop in "\(name), \(shop?.shelf ?? "no shop")" }
        }
        #expect(await program.outcome(nil) == .value("book of the door, no shop"))
        #expect(log.lines == ["+book at given", "-book at given"])
    }

    @Test func theEnvironmentIsCreatedOncePerUse() async {
        let made = Guarded(0)
        let held = told("book").contramap { (log: Log) in
            made.increment()
            return (log, "shelf")
        }
        let program = held.use { _ in EnvIO<Log, Flaw, Int> { _ in made.value } }
        #expect(made.value == 0)
        #expect(await program.outcome(Log()) == .value(1))
        #expect(await program.outcome(Log()) == .value(2))
    }
}

@Suite("Resource", .timeLimit(.minutes(10)))
struct ResourceTests {
    @Test func buildingAResourceAcquiresNothing() {
        let log = Log()
        _ = held("a").flatMap { _ in held("b") }.map { $0 + "!" }.use { write($0) }.contramap { (_: Int) in log }
        #expect(log.lines.isEmpty)
    }

    @Test func theOthersAreReleasedIfAReleaseFails() async throws {
        let three = held("a", failingToRelease: true).zip(held("b", failingToRelease: true)).zip(held("c"))
        let (outcome, lines) = await end(of: three) { _ in .pure(1) }
        #expect(outcome == .failure(Flaw(name: "-b")))
        #expect(lines == ["+a", "+b", "+c", "-c", "-b", "-a"])
        let (failed, _) = await end(of: three) { _ in write("use", failing: true) }
        #expect(failed.map { _ in 1 } == .failure(Flaw(name: "use")))
    }

    @Test(.promptly) func laterFailuresAreWrittenToStandardError() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let two = held("a", failingToRelease: true).zip(held("b", failingToRelease: true))
            _ = await end(of: two) { _ in .pure(1) }
        }
        result.expectError(
            "A finalizer's error was ignored, because its program had already failed", #"Flaw(name: "-a")"#)
        #expect(!result.standardErrorText.contains("\"-b\""))
    }

    @Test func valuesAreMapped() async {
        let (outcome, _) = await end(of: held("a").map { $0.count }.map { $0 + 1 }) { .pure($0) }
        #expect(outcome == .value(2))
        let three = held("a").zip(held("b")).flatMap { a, b in held("c").map { "\(a)\(b)\($0)" } }
        #expect(await end(of: three) { .pure($0) }.0 == .value("abc"))
        let (pure, lines) = await end(of: Resource<Log, Flaw, Int>.pure(3).flatMap { Resource(.pure($0 + 1)) }) {
            .pure($0)
        }
        #expect(pure == .value(4))
        #expect(lines.isEmpty)
        let (failed, _) = await end(of: Resource<Log, Flaw, Void>(write("p", failing: true))) { .pure(1) }
        #expect(failed == .failure(Flaw(name: "p")))
    }

    @Test func eachRunAcquiresTheResourceAgain() async {
        let program = held("a").use { write($0) }
        let log = Log()
        _ = await program.outcome(log)
        _ = await program.outcome(log)
        #expect(log.lines == ["+a", "a", "-a", "+a", "a", "-a"])
    }

    @Test func concurrentRunsEachAcquireTheResource() async throws {
        let scheduler = VirtualScheduler()
        let log = Log()
        let program = held("a").use { _ in Program<Void>.sleep(for: .seconds(1), clock: scheduler.clock) }
        for _ in 0..<2 { scheduler.start { await program.outcome(log).map { 1 } } }
        scheduler.drain()
        #expect(log.lines == ["+a", "+a"])
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["+a", "+a", "-a", "-a"])
    }
}

@Suite("Resource: cancellation", .timeLimit(.minutes(10)))
struct ResourceCancellationTests {
    private static func slowlyHeld(_ name: String) -> Resource<World, Broken, String> {
        Resource(acquire: step("+\(name)").after(1), release: { step("-\($0.dropFirst())").after(1).void })
    }

    private let two = Self.slowlyHeld("a").zip(Self.slowlyHeld("b"))

    @Test func theUseIsCancelledAndTheRunEndsAfterTheReleases() {
        #expect(
            lines(of: two.use { _ in step("use").after(1) }, cancelledAfter: 2)
                == ["1 +a", "2 +b", "3 -b", "4 -a", "4 ended as cancelled"])
    }

    @Test func aCancelledRunFinishesTheCurrentAcquisitionAndStartsNoOther() {
        for held in [Self.slowlyHeld("a"), two.map(\.0)] {
            #expect(lines(of: held.use { _ in step("use") }) == ["1 +a", "2 -a", "2 ended as cancelled"])
        }
    }
}

/// Ten thousand resources, nested to either side, on a stack of 512 KiB.
@Suite("Resource: stack safety", .timeLimit(.minutes(10)))
struct ResourceStackSafetyTests {
    private typealias Counted = Resource<Guarded<Int>, Never, Int>
    private static let depth = 10_000

    private static let one = Counted(
        acquire: EnvIO { count in
            count.withLock { $0 += 1 }
            return 1
        },
        release: { one in EnvIO { count in count.withLock { $0 -= one } } }
    )

    enum Nesting: CaseIterable, Sendable {
        case left, right, rightAsData, maps, pure
    }

    private static func make(_ nesting: Nesting) -> Counted {
        switch nesting {
        case .left: (1..<depth).reduce(one) { all, _ in all.flatMap { sum in one.map { sum + $0 } } }
        case .right: right(depth)
        case .rightAsData: (1..<depth).reduce(one) { all, _ in one.flatMap { own in all.map { own + $0 } } }
        case .maps: (1..<depth).reduce(one) { all, _ in all.map { $0 + 1 } }
        case .pure: (1..<depth).reduce(.pure(1)) { all, _ in all.flatMap { .pure($0 + 1) } }
        }
    }

    private static func right(_ depth: Int) -> Counted {
        depth == 1 ? one : one.flatMap { own in right(depth - 1).map { own + $0 } }
    }

    @Test(arguments: Nesting.allCases)
    func deepResourcesRunAndAreFreed(_ nesting: Nesting) async {
        let (sum, most, left) = await onSmallStack {
            let count = Guarded(0)
            let program = Self.make(nesting).use { sum in EnvIO { count in (sum, count.withLock { $0 }) } }
            let (sum, most) = program.runSync(count)
            return (sum, most, count.withLock { $0 })
        }
        #expect(sum == Self.depth)
        #expect(most == [.maps: 1, .pure: 0][nesting] ?? Self.depth)
        #expect(left == 0)
    }
}
