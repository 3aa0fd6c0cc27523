import FunctionalCore
import TestSupport
import Testing

/// Programs a million steps deep are built, run and freed on the main thread.
@Suite("Stack safety", .serialized, .timeLimit(.minutes(10)))
struct StackSafetyTests {
    @Test(arguments: DeepProgram.chains + DeepProgram.others)
    @MainActor
    func deepProgramsRunOnTheMainThread(_ program: DeepProgram) {
        #expect(program.run(manySteps) == program.expected ?? manySteps)
    }

    @Test(arguments: DeepState.all)
    @MainActor
    func deepStateProgramsRunOnTheMainThread(_ program: DeepState) {
        #expect(program.run(manySteps) == program.expected ?? manySteps)
    }
}

/// The same programs on a stack of 512 KiB and in a task. Each suite runs one program at a time, because the programs
/// take much memory.
@Suite("Stack safety, on small stacks", .serialized, .timeLimit(.minutes(10)))
struct SmallStackSafetyTests {
    /// A small stack has five bytes for each of these steps.
    private let depth = 100_000

    @Test(arguments: DeepProgram.chains + DeepProgram.others)
    func deepProgramsRunOnASmallStack(_ program: DeepProgram) async {
        #expect(await onSmallStack { program.run(depth) } == program.expected ?? depth)
    }

    @Test(arguments: DeepProgram.chains + DeepProgram.async)
    func deepAsyncProgramsRunInATask(_ program: DeepProgram) async {
        #expect(await program.runInATask(depth) == program.expected ?? depth)
    }

    @Test(arguments: DeepState.all)
    func deepStateProgramsRunOnASmallStack(_ program: DeepState) async {
        #expect(await onSmallStack { program.run(depth) } == program.expected ?? depth)
    }
}

typealias DeepIO = EnvIO<Int, any Error, Int>

private struct Deep: Error {
    var level = 0
}

/// A program of so many steps, whose value or the level of whose failure is the number of its steps, or `expected`.
struct DeepProgram: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Int?
    /// Returns a program of `depth` steps, the first of which is `start`.
    private let program: @Sendable (_ depth: Int, _ start: DeepIO) -> DeepIO

    init(
        _ name: String, expecting expected: Int? = nil, _ program: @escaping @Sendable (Int, DeepIO) -> DeepIO
    ) {
        (testDescription, self.expected, self.program) = (name, expected, program)
    }

    func run(_ depth: Int) -> Int {
        do { return try program(depth, .pure(0)).runSync(1) } catch { return (error as? Deep)?.level ?? -1 }
    }

    func runInATask(_ depth: Int) async -> Int {
        let wait = DeepIO { _ async in 0 }
        let all = wait.flatMap { _ in program(depth, wait) }
        do { return try await all.run(1) } catch { return (error as? Deep)?.level ?? -1 }
    }

    static let chains = [
        DeepProgram("right", expecting: 0) { depth, start in start.flatMap { _ in countdown(depth) } },
        DeepProgram("right, not in tail position") { depth, start in start.flatMap { _ in sum(depth) } },
        DeepProgram("left") { depth, start in
            (0..<depth).reduce(start) { program, _ in program.flatMap { .pure($0 + 1) } }
        },
        DeepProgram("maps") { depth, start in (0..<depth).reduce(start) { program, _ in program.map { $0 + 1 } } },
        // A closure of each program captures the next program, so the nodes do not show the nesting.
        DeepProgram("right, as data") { depth, start in
            (0..<depth).reduce(start) { inner, _ in DeepIO.pure(1).flatMap { one in inner.map { $0 + one } } }
        },
        DeepProgram("handlers") { depth, start in
            (0..<depth).reduce(start.flatMap { _ in .fail(Deep()) }) { program, _ in
                program.handleErrorWith { .fail(Deep(level: (($0 as? Deep)?.level ?? 0) + 1)) }
            }
        },
        DeepProgram("environments") { depth, start in
            (0..<depth).reduce(start.flatMap { _ in .ask() }) { program, _ in
                program.map { $0 + 1 }.contramap { $0 + 1 }
            }
            .map { $0 - depth - 1 }
        },
    ]

    static let async = [
        DeepProgram("async steps", expecting: 0) { depth, _ in waiting(depth) },
        DeepProgram("right, as data, of async steps") { depth, start in
            (0..<depth).reduce(start) { inner, _ in
                DeepIO { (one: Int) async in one }.flatMap { one in inner.map { $0 + one } }
            }
        },
        DeepProgram("retry") { depth, _ in
            let count = Guarded(0)
            return DeepIO { _ async throws in throw Deep(level: count.increment()) }.retry(.recurs(depth - 1))
        },
    ]

    static let others = [
        DeepProgram("failure") { depth, _ in
            (0..<depth).reduce(DeepIO.fail(Deep(level: depth))) { program, _ in program.map { $0 + 1 } }
        },
        DeepProgram("local environments", expecting: 0) { depth, _ in local(depth) },
        DeepProgram("left, freed", expecting: 0) { depth, _ in
            _ = (0..<depth).reduce(DeepIO.ask()) { program, _ in program.flatMap { .pure($0) } }
            return .pure(0)
        },
        DeepProgram("right, freed", expecting: 0) { depth, _ in
            _ = (0..<depth).reduce(DeepIO.ask()) { inner, _ in DeepIO.ask().flatMap { _ in inner } }
            return .pure(0)
        },
        DeepProgram("brackets") { depth, start in
            (0..<depth).reduce(start) { program, _ in
                .bracket(acquire: .pure(1), release: { _ in .pure(()) }, use: { one in program.map { $0 + one } })
            }
        },
        DeepProgram("bindings", expecting: 0) { depth, _ in bound(depth) },
        DeepProgram("traverse") { depth, _ in
            (0..<depth).traverse { number in DeepIO.ask().map { number + $0 } }.map { $0.last ?? 0 }
        },
        DeepProgram("taps") { depth, _ in
            (0..<depth / 2).reduce(.pure(depth)) { program, _ in program.tap { _ in }.flatTap { DeepIO.pure($0) } }
        },
        DeepProgram("taps of errors") { depth, _ in
            (0..<depth).reduce(DeepIO.fail(Deep(level: depth))) { program, _ in program.tapError { _ in } }
        },
        DeepProgram("orElse") { depth, _ in
            (0..<depth).reduce(DeepIO.fail(Deep())) { program, index in
                program.orElse(index == depth - 1 ? .pure(depth) : .fail(Deep()))
            }
        },
        DeepProgram("forever") { depth, _ in turn(failingAt: depth).forever().setValueType() },
        DeepProgram("forever, of nodes") { depth, _ in
            turn(failingAt: depth).flatMap { .pure($0) }.forever().setValueType()
        },
        DeepProgram("retry") { depth, _ in turn(failingAt: nil).retry(.recurs(depth - 1)) },
        DeepProgram("retry, of nodes") { depth, _ in
            let turn = turn(failingAt: nil)
            return DeepIO.suspend { turn }.retry(.recurs(depth - 1))
        },
        DeepProgram("repeat") { depth, _ in
            turn(failingAt: nil).handleError { ($0 as? Deep)?.level ?? 0 }.repeat(.recurs(depth - 1))
        },
    ]
}

/// Returns a program that returns the number of its turn, and fails in turn `last`, or in each turn.
private func turn(failingAt last: Int?) -> DeepIO {
    let count = Guarded(0)
    return DeepIO { _ in
        let turn = count.increment()
        if turn == last ?? turn { throw Deep(level: turn) }
        return turn
    }
}

private func countdown(_ count: Int) -> DeepIO {
    count == 0 ? .pure(0) : DeepIO.pure(count - 1).flatMap(countdown)
}

private func sum(_ count: Int) -> DeepIO {
    count == 0 ? .pure(0) : DeepIO.ask().flatMap { one in sum(count - 1).map { $0 + one } }
}

private func local(_ count: Int) -> DeepIO {
    count == 0 ? .pure(0) : DeepIO.ask().flatMap { _ in local(count - 1).contramap { $0 + 1 } }
}

private func bound(_ count: Int) -> DeepIO {
    guard count > 0 else { return .pure(0) }
    let one = DeepIO.var()
    return binding(one <- .ask(), yield: one.get).flatMap { bound(count - $0) }
}

private func waiting(_ count: Int) -> DeepIO {
    count == 0 ? .pure(0) : DeepIO { (one: Int) async in count - one }.flatMap(waiting)
}

/// A program of so many steps, each of which adds one to the state or to the value, unless `expected` is 0.
struct DeepState: Sendable, CustomTestStringConvertible {
    typealias Step = State<Int, Void>

    let testDescription: String
    let expected: Int?
    let run: @Sendable (_ depth: Int) -> Int

    init(_ name: String, expecting expected: Int? = nil, _ run: @escaping @Sendable (Int) -> Int) {
        (testDescription, self.expected, self.run) = (name, expected, run)
    }

    private static let step = Step.update { $0 += 1 }

    static let all = [
        DeepState("right") { depth in countUp(depth).exec(0) },
        DeepState("left") { depth in
            (1..<depth).reduce(step.as(())) { program, _ in program.flatMap { step } }.exec(0)
        },
        DeepState("maps") { depth in
            (0..<depth).reduce(State<Int, Int>.pure(0)) { program, _ in program.map { $0 + 1 } }.eval(0)
        },
        DeepState("right, as data") { depth in
            (1..<depth).reduce(step) { inner, _ in step.flatMap { inner } }.exec(0)
        },
        DeepState("left, freed", expecting: 0) { depth in
            _ = (0..<depth).reduce(step) { program, _ in program.flatMap { step } }
            return 0
        },
        DeepState("right, freed", expecting: 0) { depth in
            _ = (0..<depth).reduce(step) { inner, _ in step.flatMap { inner } }
            return 0
        },
        // Each binding extends the program that its inner binding yields, and gives it a variable to read.
        DeepState("yielded by bindings") { depth in
            let program = EnvIO<Int, Never, Step>.var()
            return (1..<depth).reduce(EnvIO<Int, Never, Step>(.success(step))) { inner, _ in
                binding(program <- inner, yield: program.get.followed(by: step))
            }
            .runSync(1).exec(0)
        },
    ]
}

private func countUp(_ count: Int) -> State<Int, Void> {
    count == 0 ? .pure(()) : State<Int, Void>.update { $0 += 1 }.flatMap { countUp(count - 1) }
}
