import FunctionalCore

private let core = "Core and optics"
private typealias Program = EnvIO<Int, any Error, Int>

var envIORows: [Row] {
    [
        Row(core, "EnvIO, one step", peer: "Bow 8,249", isCounted: true) {
            let program = opaque(Program { $0 &+ 1 })
            let work = Subject("runSync", expecting: 500_500) {
                var sum = 0
                for index in 0..<1_000 { sum &+= try program.runSync(opaque(index)) }
                return sum
            }
            return [
                .time("", work, Baseline.closure())
                    .pending(goal: 2, "two to three times a closure that may throw")
            ]
        },
        Row(core, "map chain of 1,000, per step", peer: "Bow 547,941", isCounted: true) {
            let program = opaque((0..<1_000).reduce(Program.ask()) { program, _ in program.map { $0 &+ 1 } })
            let work = Subject("runSync", expecting: 1_000) { try program.runSync(opaque(0)) }
            return [.time("", work, Baseline.closures())]
        },
        Row(core, "8-step program, per step", isCounted: true) {
            let program = opaque(eightSteps)
            // A price answers 2 * (1,000 - (price + 1)) + 2.
            let work = Subject("runSync", operations: 8 * 100, expecting: 190_100) {
                var sum = 0
                for index in 0..<100 { sum &+= try program.runSync(Shop(price: opaque(index), limit: 1_000)) }
                return sum
            }
            return [.time("", work, Baseline.alloc())]
        },
        Row(core, "flatMap right-nested, 1,000,000, per step", peer: "dies at 100,000") {
            let free = Subject("free monad", operations: 1_000_000, expecting: 0) {
                try freeCountdown(opaque(1_000_000)).run(opaque(1))
            }
            let freeAsking = Subject("free monad", operations: 1_000_000, expecting: 0) {
                try freeCountdownAsking(opaque(1_000_000)).run(opaque(1))
            }
            let pure = Subject("pure", operations: 1_000_000) { runRightNested(1_000_000) }
            let environment = Subject("environment", operations: 1_000_000, expecting: 0) {
                try countdownAsking(opaque(1_000_000)).runSync(opaque(1))
            }
            return [
                .time("pure", pure, free),
                .time("with an environment and any Error", environment, freeAsking),
                .memory("constant memory", of: "right 1,000,000", over: "right 1,000"),
            ]
        },
        Row(core, "flatMap left-nested, 1,000,000: built, run, freed", peer: "dies at 100,000") {
            let million = Subject("at 1,000,000", operations: 1_000_000, isLarge: true) { runLeftNested(1_000_000) }
            let thousand = Subject("at 1,000", operations: 1_000) { runLeftNested(1_000) }
            return [
                .time("per step", million, thousand),
                .memory("peak", of: "left 1,000,000"),
            ]
        },
        Row(core, "raise + handle") {
            let throwing = Baseline.throwing()
            let inRun = opaque(failures(1_000))
            let alone = opaque(
                Program { level in throw Failed(level: level) }.handleErrorWith { _ in Program.pure(1) })
            return [
                .time(
                    "1,000 in a run",
                    Subject("in a run", expecting: 1_000) { try inRun.runSync(opaque(0)) }, throwing
                ),
                .time(
                    "a run with one",
                    Subject("alone", expecting: 1_000) {
                        var sum = 0
                        for index in 0..<1_000 { sum &+= try alone.runSync(opaque(index)) }
                        return sum
                    },
                    throwing
                ),
            ]
        },
        Row(core, "async step that does not suspend", peer: "blocks a thread") {
            let work = Subject(waiting: "async step", operations: 10_000, expecting: 0) {
                try await waiting(opaque(10_000)).run(opaque(1))
            }
            return [.time("", work, Baseline.asyncCall())]
        },
    ]
}

struct Shop: Sendable {
    var price: Int
    var limit: Int
}

/// A typical program: it reads, computes, continues, checks, and handles a failure.
let eightSteps = EnvIO<Shop, any Error, Int>.access { $0.price }
    .map { $0 &+ 1 }
    .flatMap { price in .access { $0.limit &- price } }
    .map { $0 &* 2 }
    .ensure({ $0 < 1_000_000 }, otherwise: { Failed(level: $0) })
    .flatMap { .pure($0 &+ 1) }
    .handleErrorWith { _ in EnvIO<Shop, any Error, Int>.pure(0) }
    .map { $0 &+ 1 }

func runLeftNested(_ depth: Int) {
    let program = (0..<opaque(depth)).reduce(Program.pure(0)) { program, _ in program.flatMap { .pure($0 &+ 1) } }
    let value = try? program.runSync(1)
    guard value == depth else { fatalError("A left-nested program ended in \(value as Any).") }
}

func runRightNested(_ depth: Int) {
    guard countdown(opaque(depth)).runSync() == 0 else { fatalError("A right-nested program ended in another value.") }
}

private func countdown(_ count: Int) -> EnvIO<Void, Never, Int> {
    count == 0 ? .pure(0) : .pure(count - 1).flatMap(countdown)
}

private func countdownAsking(_ count: Int) -> Program {
    count == 0 ? .pure(0) : Program.ask().flatMap { one in countdownAsking(count - one) }
}

private func waiting(_ count: Int) -> Program {
    count == 0 ? .pure(0) : Program { (one: Int) async in count - one }.flatMap(waiting)
}

/// Fails and handles the failure `count` times, and returns how often it did.
private func failures(_ count: Int, handled: Int = 0) -> Program {
    count == 0
        ? .pure(handled)
        : Program { _ in throw Failed(level: count) }.handleErrorWith { _ in failures(count - 1, handled: handled + 1) }
}
