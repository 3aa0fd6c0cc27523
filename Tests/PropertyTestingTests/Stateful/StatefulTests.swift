import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Commands that run one after the other or interleaved, compared with a model.
@Suite("Stateful properties", .seed(11), .timeLimit(.minutes(10)))
struct StatefulTests {
    enum Command: Sendable {
        case push(Int)
        case pop
    }

    /// A stack that, if it is broken, drops its bottom element when it has three.
    actor Stack {
        private var numbers: [Int] = []
        private let isBroken: Bool

        init(isBroken: Bool) { self.isBroken = isBroken }

        func push(_ number: Int) {
            numbers.append(number)
            if isBroken, numbers.count == 3 { numbers.removeFirst() }
        }

        func pop() -> Int? { numbers.popLast() }
    }

    static let command = Gen.oneOf(Gen.int.map(Command.push), Gen.always(Command.pop))

    static func property(isBroken: Bool) -> StatefulProperty<Command, [Int], Stack, Int?> {
        StatefulProperty(
            model: [Int](),
            system: { Stack(isBroken: isBroken) },
            expected: { command, numbers in
                switch command {
                case .push(let number):
                    numbers.append(number)
                    return nil
                case .pop: return numbers.popLast()
                }
            },
            actual: { command, stack in
                switch command {
                case .push(let number):
                    await stack.push(number)
                    return nil
                case .pop: return await stack.pop()
                }
            }
        )
    }

    @Test func aCorrectSystemPasses() async {
        await forAll(commands: Self.command, of: Self.property(isBroken: false))
        await forAll(interleaved: Self.command, of: Self.property(isBroken: false))
    }

    /// The responses are wrong in each phase, so a report is about the first commands if there are any.
    @Test func aWrongResponseBeforeTheBranchesIsReportedAsSuch() async {
        let property = StatefulProperty<Void, Void, Void, Int>(
            model: (), system: {}, expected: { _, _ in 1 }, actual: { _, _ in 2 })
        var places: Set<Bool> = []
        for seed in 0..<20 as Range<UInt64> {
            let found = await property.falsify(
                interleaved: Gen.always(()), settings: .init(cases: 20, seed: seed, shrinkTries: 0))
            places.insert(found?.message == "Before the branches, () returned 2 instead of 1.")
        }
        #expect(places == [true, false])
    }

    @Test func aBrokenSystemIsFalsifiedByAShortList() async {
        let found = await Self.property(isBroken: true).falsify(commands: Self.command)
        #expect(found?.counterexample == "[.push(0), .push(0), .push(0), .pop, .pop, .pop]")
        #expect(found?.message == "Step 6: .pop returned nil instead of 0.")
    }

    enum Count: Sendable { case increment, read }

    /// A counter whose increment suspends between its read and its write, unless it is atomic.
    actor Counter {
        private var count = 0
        private let isAtomic: Bool

        init(isAtomic: Bool) { self.isAtomic = isAtomic }

        func increment() async -> Int {
            let before = count
            if !isAtomic { await Task.yield() }
            count = before + 1
            return count
        }

        func read() -> Int { count }
    }

    static func counter(isAtomic: Bool) -> StatefulProperty<Count, Int, Counter, Int> {
        StatefulProperty(
            model: 0,
            system: { Counter(isAtomic: isAtomic) },
            expected: { command, count in
                if command == .increment { count += 1 }
                return count
            },
            actual: { command, counter in
                switch command {
                case .increment: await counter.increment()
                case .read: await counter.read()
                }
            }
        )
    }

    static let count = Gen.oneOf(Gen.always(Count.increment), Gen.always(Count.read))

    @Test func anAtomicCounterPassesInEveryOrder() async {
        await forAll(interleaved: Self.count, branches: 3, of: Self.counter(isAtomic: true))
        await forAll(commands: Self.count, of: Self.counter(isAtomic: false))
    }

    @Test func aLostUpdateIsFoundAndReplayed() async throws {
        let property = Self.counter(isAtomic: false)
        let found = try #require(await property.falsify(interleaved: Self.count))
        #expect(found.counterexample == "[.increment] with [.increment], steps []")
        #expect(found.message == "No sequential order of the commands returns [1] and [1].")
        let again = await property.falsify(interleaved: Self.count, settings: .init(cases: 0, replay: found.replay))
        #expect(
            again?.description.split(separator: "\n").prefix(2) == found.description.split(separator: "\n").prefix(2))
    }

    /// A register that returns a wrong value only between the two halves of a write.
    actor Register {
        private var halves = (0, 0)

        func write() async -> Int {
            halves.0 += 1
            await Task.yield()
            halves.1 += 1
            return 0
        }

        func read() -> Int { halves.0 == halves.1 ? 0 : -1 }
    }

    @Test func anOrderOfStepsThatFailsIsFound() async throws {
        let property = StatefulProperty<Count, Void, Register, Int>(
            model: (), system: { Register() }, expected: { _, _ in 0 },
            actual: { command, register in
                switch command {
                case .increment: await register.write()
                case .read: await register.read()
                }
            }
        )
        let found = try #require(
            await property.falsify(interleaved: Self.count, settings: .init(cases: 1_000, seed: 5)))
        #expect(
            found.message == "No sequential order of the commands returns [0] and [-1]." || found.message.contains("-1")
        )
        let text = try #require(found.counterexample)
        #expect(text.contains(".increment") && text.contains(".read") && text.count < 60, "\(text)")
    }

    /// Starts three tasks, the last of which should not be the first to run.
    actor Fan {
        private var log: [Int] = []

        func run() async -> Bool {
            log = []
            await withTaskGroup { group in
                for number in 1...3 { group.addTask { await self.note(number) } }
            }
            return log.first != 3
        }

        private func note(_ number: Int) { log.append(number) }
    }

    @Test func anyReadyStepMayRunNext() async {
        let property = StatefulProperty<Void, Void, Void, Bool>(
            model: (), system: {}, expected: { _, _ in true }, actual: { _, _ in await Fan().run() })
        let found = await property.falsify(interleaved: Gen.always(()), settings: .init(cases: 1_000, seed: 1))
        #expect(found != nil)
    }

    /// A counter whose increment takes a second.
    actor SlowCounter {
        private var count = 0
        private let clock: VirtualClock

        init(clock: VirtualClock) { self.clock = clock }

        func increment() async throws -> Int {
            let before = count
            try await clock.sleep(for: .seconds(1))
            count = before + 1
            return count
        }
    }

    @Test func aSystemThatSleepsUsesTheAdvancedClock() async {
        let property = StatefulProperty<Void, Int, SlowCounter, Int>(
            model: 0, system: { clock in SlowCounter(clock: clock) },
            expected: { _, count in
                count += 1
                return count
            },
            actual: { _, counter in try await counter.increment() })
        await forAll(commands: Gen.always(()), of: property)
        let found = await property.falsify(interleaved: Gen.always(()))
        #expect(found?.message == "No sequential order of the commands returns [1] and [1].")
    }

    /// All orders are compared when one fails: 8!/(4! 4!) = 70 for four commands in each of two branches.
    @Test(arguments: [(2, 4), (3, 3), (4, 2), (5, 1), (7, 1)])
    func branchesGetShorterWithTheirNumber(_ branches: Int, _ longest: Int) async {
        let most = Guarded(0)
        let property = StatefulProperty<Void, Void, Guarded<Int>, Bool>(
            model: (), system: { Guarded(0) }, expected: { _, _ in true },
            actual: { _, ran in
                let count = ran.increment()
                most.withLock { $0 = max($0, count) }
                return true
            })
        let found = await property.falsify(
            interleaved: Gen.always(()), branches: branches, settings: .init(cases: 1_000, seed: 1))
        #expect(found == nil)
        // Up to four commands run before the branches.
        #expect(most.value <= 4 + branches * longest)
        #expect(most.value > branches * longest)
    }

    @Test func impossibleCommandsAreLeftOut() async {
        let property = StatefulProperty<Command, Int, Stack, Bool>(
            model: 0, system: { Stack(isBroken: false) },
            isPossible: { command, count in if case .pop = command { count > 0 } else { true } },
            expected: { command, count in
                if case .pop = command { count -= 1 } else { count += 1 }
                return true
            },
            actual: { command, stack in
                switch command {
                case .push(let number):
                    await stack.push(number)
                    return true
                case .pop: return await stack.pop() != nil
                }
            }
        )
        await forAll(commands: Self.command, of: property)
    }

    @Test(arguments: [nil, 0...1, 5...9] as [ClosedRange<Int>?], [false, true])
    func aPropertyThatRunsNoCommandFails(_ count: ClosedRange<Int>?, _ isTimed: Bool) async {
        func found(_ isPossible: @escaping @Sendable (Int, Void) -> Bool) async -> Falsified? {
            let property =
                isTimed
                ? StatefulProperty(
                    model: (), system: { (_: VirtualClock) in }, isPossible: isPossible, expected: { _, _ in true },
                    actual: { _, _ in true })
                : StatefulProperty(
                    model: (), system: {}, isPossible: isPossible, expected: { _, _ in true }, actual: { _, _ in true })
            return await property.falsify(commands: Gen.int(in: 0...9), count: count, settings: .init())
        }
        #expect(
            await found { _, _ in false }?.message.hasPrefix("Gave up: 100 inputs were discarded and 0 tried.") == true)
        #expect(await found { command, _ in command == 0 } == nil)
    }
}
