import FunctionalCore
import TestSupport
import Testing

/// The delays that schedules return. No program runs.
@Suite("Schedule", .timeLimit(.minutes(10)))
struct ScheduleTests {
    private typealias Numbers = Schedule<Int>

    @Test func recursAllowsTheGivenCount() {
        #expect(Numbers.recurs(3).delays(for: 1...9) == seconds(0, 0, 0))
        #expect(Numbers.recurs(0).delays(for: 1...9).isEmpty)
    }

    @Test func foreverAndSpacedNeverStop() {
        #expect(Numbers.forever.delays(for: 1...4) == seconds(0, 0, 0, 0))
        #expect(Numbers.spaced(.seconds(2)).delays(for: 1...3) == seconds(2, 2, 2))
        #expect(Numbers.fixedRate(.seconds(2)).delays(for: 1...3) == seconds(2, 2, 2))
    }

    @Test func exponentialMultipliesTheDelay() {
        #expect(Numbers.exponential(base: .seconds(1)).delays(for: 1...5) == seconds(1, 2, 4, 8, 16))
        #expect(Numbers.exponential(base: .seconds(2), factor: 3).delays(for: 1...3) == seconds(2, 6, 18))
        #expect(Numbers.exponential(base: .seconds(8), factor: 0.5).delays(for: 1...3) == seconds(8, 4, 2))
        #expect(Numbers.exponential(base: .seconds(8), factor: 0).delays(for: 1...3) == seconds(8, 0, 0))
    }

    @Test func fibonacciAddsTheLastTwoDelays() {
        #expect(Numbers.fibonacci(.seconds(1)).delays(for: 1...7) == seconds(1, 1, 2, 3, 5, 8, 13))
    }

    @Test(arguments: [
        Schedule<Int>.exponential(base: .milliseconds(1)),
        .exponential(base: .seconds(Int64.max), factor: .greatestFiniteMagnitude),
        .exponential(base: .nanoseconds(1), factor: 1e300),
        .fibonacci(.milliseconds(1)),
        .fibonacci(.seconds(Int64.max)),
        .spaced(.seconds(Int64.max)).jittered(by: 2...1e300),
    ])
    func delaysGrowToAtMostAHundredYears(_ schedule: Schedule<Int>) {
        let delays = schedule.delays(for: 0..<10_000)
        #expect(delays.count == 10_000)
        #expect(delays.last == .seconds(100 * 365 * 86_400))
        #expect(delays.max() == delays.last)
    }

    @Test func aZeroDelayStaysZero() {
        let schedules = [
            Numbers.spaced(.zero), .exponential(base: .zero, factor: .greatestFiniteMagnitude), .fibonacci(.zero),
            .spaced(.zero).jittered(), .spaced(.seconds(1)).capped(at: .zero),
        ]
        for schedule in schedules { #expect(schedule.delays(for: 1...3) == seconds(0, 0, 0)) }
    }

    @Test func jitterStaysInItsRangeAndDependsOnlyOnTheGenerator() {
        func delays(seed: UInt64, in range: ClosedRange<Double> = 0.8...1.2) -> [Duration] {
            Numbers.spaced(.seconds(10)).jittered(by: range, using: SeededGenerator(seed: seed)).delays(for: 1...500)
        }
        #expect(delays(seed: 1) == delays(seed: 1))
        #expect(delays(seed: 1) != delays(seed: 2))
        #expect(delays(seed: 1).allSatisfy { (.seconds(8)...(.seconds(12))).contains($0) })
        #expect(Set(delays(seed: 1)).count > 490)
        #expect(delays(seed: 1).min() ?? .zero < .seconds(8.1))
        #expect(delays(seed: 1).max() ?? .zero > .seconds(11.9))
        #expect(delays(seed: 1, in: 0.5...0.5) == seconds(of: 500, each: 5))
        #expect(Numbers.spaced(.seconds(10)).jittered().delays(for: 1...9) != seconds(of: 9, each: 10))
    }

    @Test("Delays at a cap vary if the jitter comes after the cap, and are equal if it comes before")
    func jitterAndCap() {
        let growing = Numbers.exponential(base: .seconds(1))
        func delays(_ schedule: Numbers) -> [Duration] { Array(schedule.delays(for: 1...40).dropFirst(10)) }
        let varying = delays(growing.capped(at: .seconds(10)).jittered(using: SeededGenerator(seed: 1)))
        #expect(Set(varying).count == 30)
        #expect(varying.allSatisfy { (.seconds(8)...(.seconds(12))).contains($0) })
        let capped = delays(growing.jittered(using: SeededGenerator(seed: 1)).capped(at: .seconds(10)))
        #expect(capped == seconds(of: 30, each: 10))
    }

    @Test func bothUsesTheLongerDelay() {
        let both = Numbers.exponential(base: .seconds(1)) && .spaced(.seconds(3)) && .recurs(4)
        #expect(both.delays(for: 1...9) == seconds(3, 3, 4, 8))
    }

    @Test func eitherUsesTheShorterDelay() {
        let either = Numbers.exponential(base: .seconds(1)) || .spaced(.seconds(3))
        #expect(either.delays(for: 1...5) == seconds(1, 2, 3, 3, 3))
        let ending = (Numbers.spaced(.seconds(1)) && .recurs(2)) || (.spaced(.seconds(5)) && .recurs(4))
        #expect(ending.delays(for: 1...9) == seconds(1, 1, 5, 5))
    }

    @Test func aStoppedScheduleOfEitherIsNotAskedAgain() {
        let either = Numbers.spaced(.seconds(1)).whileInput { $0 != 2 } || .spaced(.seconds(5))
        #expect(either.delays(for: 1...4) == seconds(1, 5, 5, 5))
    }

    @Test func andThenStartsTheNextScheduleWhenTheFirstStops() {
        let schedule = Numbers.recurs(2).andThen(.spaced(.seconds(1)) && .recurs(2)).andThen(.fibonacci(.seconds(7)))
        #expect(schedule.delays(for: 1...7) == seconds(0, 0, 1, 1, 7, 7, 14))
    }

    @Test func whileInputStopsAtTheFirstOtherInput() {
        let schedule = Numbers.spaced(.seconds(1))
        #expect(schedule.whileInput { $0 < 3 }.delays(for: 1...9) == seconds(1, 1))
        #expect(schedule.whileInput { $0 > 1 }.delays(for: 1...9).isEmpty)
    }

    @Test func upToStopsAfterTheGivenDuration() {
        #expect(Numbers.spaced(.seconds(2)).upTo(.seconds(5)).delays(for: 1...9) == seconds(2, 2, 2))
        #expect(Numbers.spaced(.seconds(2)).upTo(.seconds(4)).delays(for: 1...9) == seconds(2, 2))
        #expect(Numbers.spaced(.seconds(2)).upTo(.zero).delays(for: 1...9).isEmpty)
        #expect(Numbers.spaced(.seconds(2)).upTo(.seconds(-1)).delays(for: 1...9).isEmpty)
    }

    @Test func theTimeLimitRestartsInTheNextSchedule() {
        let short = Numbers.spaced(.seconds(1)).upTo(.seconds(2))
        #expect(short.andThen(.spaced(.seconds(3)).upTo(.seconds(6))).delays(for: 1...9) == seconds(1, 1, 3, 3))
        #expect(short.andThen(short).andThen(short).delays(for: 1...9) == seconds(1, 1, 1, 1, 1, 1))
    }

    @Test func cappedLimitsTheDelay() {
        let capped = Numbers.exponential(base: .seconds(1)).capped(at: .seconds(5))
        #expect(capped.delays(for: 1...5) == seconds(1, 2, 4, 5, 5))
    }

    @Test func eachRunRestartsTheSchedule() {
        let schedule = Numbers.fibonacci(.seconds(1)).jittered(using: SeededGenerator(seed: 3)) && .recurs(5)
        #expect(schedule.delays(for: 1...9) == schedule.delays(for: 1...9))
        #expect(schedule.delays(for: 1...9).count == 5)
    }

    @Test(.promptly, arguments: Senseless.allCases)
    func anInvalidArgumentTraps(_ argument: Senseless) async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [argument] in argument.use()
        }?.expectError("Schedule<Int>.\(argument.message). To fix, pass another argument.")
    }
}

/// Invalid arguments of schedules.
enum Senseless: CaseIterable, Codable, Sendable {
    case count, notANumber, infinite, shrinking, jitter, infiniteJitter

    func use() {
        switch self {
        case .count: _ = Schedule<Int>.recurs(-1)
        case .notANumber: _ = Schedule<Int>.exponential(base: .seconds(1), factor: .nan)
        case .infinite: _ = Schedule<Int>.exponential(base: .seconds(1), factor: .infinity)
        case .shrinking: _ = Schedule<Int>.exponential(base: .seconds(1), factor: -1)
        case .jitter: _ = Schedule<Int>.forever.jittered(by: -1...1)
        case .infiniteJitter: _ = Schedule<Int>.forever.jittered(by: 1...(.infinity))
        }
    }

    var message: String {
        let count = "is not valid: a count must not be negative"
        let factor = "is not valid: a factor must be finite and not negative"
        return switch self {
        case .count: "recurs(-1) \(count)"
        case .notANumber: "exponential(base: 1.0 seconds, factor: nan) \(factor)"
        case .infinite: "exponential(base: 1.0 seconds, factor: inf) \(factor)"
        case .shrinking: "exponential(base: 1.0 seconds, factor: -1.0) \(factor)"
        case .jitter: "jittered(by: -1.0...1.0) \(factor)"
        case .infiniteJitter: "jittered(by: 1.0...inf) \(factor)"
        }
    }
}

/// Returns durations of these numbers of seconds.
func seconds(_ counts: Double...) -> [Duration] {
    counts.map { .seconds($0) }
}

private func seconds(of count: Int, each duration: Double) -> [Duration] {
    Array(repeating: .seconds(duration), count: count)
}
