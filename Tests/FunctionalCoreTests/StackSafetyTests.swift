import FunctionalCore
import TestSupport
import Testing

/// Programs a million steps deep are built, run and freed on the main thread.
@Suite("Stack safety", .serialized, .timeLimit(.minutes(10)))
struct StackSafetyTests {
    @Test(arguments: DeepProgram.allCases)
    @MainActor
    func deepProgramsRunOnTheMainThread(_ program: DeepProgram) {
        #expect(program.run(manySteps) == program.expected(manySteps))
    }

    @Test(arguments: DeepState.allCases)
    @MainActor
    func deepStateProgramsRunOnTheMainThread(_ program: DeepState) {
        #expect(program.run(manySteps) == program.expected(manySteps))
    }
}

/// The same programs on a stack of 512 KiB and in a task. Each suite runs one program at a time, because the programs
/// take much memory.
@Suite("Stack safety, on small stacks", .serialized, .timeLimit(.minutes(10)))
struct SmallStackSafetyTests {
    /// A small stack has five bytes for each of these steps.
    private let depth = 100_000

    @Test(arguments: DeepProgram.allCases)
    func deepProgramsRunOnASmallStack(_ program: DeepProgram) async {
        #expect(await onSmallStack { program.run(depth) } == program.expected(depth))
    }

    @Test(arguments: DeepAsyncProgram.allCases)
    func deepAsyncProgramsRunInATask(_ program: DeepAsyncProgram) async throws {
        let result = try await program.run(depth)
        #expect(result == program.expected(depth))
    }

    @Test(arguments: DeepState.allCases)
    func deepStateProgramsRunOnASmallStack(_ program: DeepState) async {
        #expect(await onSmallStack { program.run(depth) } == program.expected(depth))
    }
}

private typealias DeepIO = EnvIO<Int, any Error, Int>

private struct Deep: Error {
    var level = 0
}

/// The programs that run synchronously.
enum DeepProgram: String, CaseIterable, Sendable {
    case right, rightNonTail, leftMap, left, rightData, leftHandle, failDeep, leftEnv, localLoop, freeLeft, freeRight
    case bracketLoop, bindingLoop, traverse, taps, tapErrors, orElse, redeem, forever, foreverNodes

    func expected(_ depth: Int) -> Int {
        switch self {
        case .localLoop, .freeLeft, .freeRight, .right, .bindingLoop: 0
        case .leftEnv: 2 * depth + 1
        default: depth
        }
    }

    func run(_ depth: Int) -> Int {
        do {
            return try program(depth).runSync(1)
        } catch {
            return (error as? Deep)?.level ?? -1
        }
    }

    private func program(_ depth: Int) -> DeepIO {
        switch self {
        case .right:
            return countdown(depth)
        case .rightNonTail:
            return sum(depth)
        case .leftMap:
            return (0..<depth).reduce(DeepIO.pure(0)) { program, _ in program.map { $0 + 1 } }
        case .left:
            return (0..<depth).reduce(DeepIO.pure(0)) { program, _ in program.flatMap { .pure($0 + 1) } }
        case .rightData:
            // A closure of each program captures the next program, so the nodes do not show the nesting.
            return (0..<depth).reduce(DeepIO.pure(0)) { inner, _ in
                DeepIO.pure(1).flatMap { one in inner.map { $0 + one } }
            }
        case .leftHandle:
            let failing = DeepIO.fail(Deep())
            return (0..<depth).reduce(failing) { program, _ in
                program.handleErrorWith { .fail(Deep(level: (($0 as? Deep)?.level ?? 0) + 1)) }
            }
        case .failDeep:
            return (0..<depth).reduce(DeepIO.fail(Deep(level: depth))) { program, _ in program.map { $0 + 1 } }
        case .leftEnv:
            return (0..<depth).reduce(DeepIO.ask()) { program, _ in program.map { $0 + 1 }.contramap { $0 + 1 } }
        case .localLoop:
            return local(depth)
        case .freeLeft:
            _ = (0..<depth).reduce(DeepIO.ask()) { program, _ in program.flatMap { .pure($0) } }
            return .pure(0)
        case .freeRight:
            _ = (0..<depth).reduce(DeepIO.ask()) { inner, _ in DeepIO.ask().flatMap { _ in inner } }
            return .pure(0)
        case .bracketLoop:
            return (0..<depth).reduce(DeepIO.pure(0)) { program, _ in
                .bracket(acquire: .pure(1), release: { _ in .pure(()) }, use: { one in program.map { $0 + one } })
            }
        case .bindingLoop:
            return bound(depth)
        case .taps:
            return (0..<depth / 2).reduce(DeepIO.pure(depth)) { program, _ in
                program.tap { _ in }.flatTap { DeepIO.pure($0) }
            }
        case .tapErrors:
            return (0..<depth).reduce(DeepIO.fail(Deep(level: depth))) { program, _ in program.tapError { _ in } }
        case .orElse:
            return (0..<depth).reduce(DeepIO.fail(Deep())) { program, index in
                program.orElse(index == depth - 1 ? .pure(depth) : .fail(Deep()))
            }
        case .redeem:
            return (0..<depth).reduce(DeepIO.pure(0)) { program, _ in
                program.redeemWith(recover: { .fail($0) }, bind: { .pure($0 + 1) })
            }
        case .forever, .foreverNodes:
            let count = Ref(0)
            let turn = DeepIO { _ in
                let turn = count.modify { count in
                    count += 1
                    return count
                }
                if turn == depth { throw Deep(level: turn) }
                return turn
            }
            return (self == .forever ? turn : turn.flatMap { .pure($0) }).forever().setValueType()
        case .traverse:
            return (0..<depth).traverse { number in DeepIO.ask().map { number + $0 } }.map { $0.last ?? 0 }
        }
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

/// The programs that run in a task.
enum DeepAsyncProgram: String, CaseIterable, Sendable {
    case right, rightNonTail, left, leftMap, rightData, leftHandle, leftEnv, asyncSteps

    func expected(_ depth: Int) -> Int {
        switch self {
        case .right, .asyncSteps: 0
        case .leftEnv: 2 * depth + 1
        default: depth
        }
    }

    func run(_ depth: Int) async throws -> Int {
        switch self {
        case .asyncSteps: return try await waiting(depth).run(1)
        default:
            // The `async` step comes first, so that the rest runs in a task.
            let start = DeepIO { (one: Int) async in one }
            let program = (0..<depth).reduce(start) { program, _ in
                switch self {
                case .left: program.flatMap { .pure($0 + 1) }
                case .leftMap: program.map { $0 + 1 }
                case .leftEnv: program.map { $0 + 1 }.contramap { $0 + 1 }
                case .leftHandle: program.handleErrorWith { .fail($0) }.map { $0 + 1 }
                case .rightData: DeepIO { (one: Int) async in one }.flatMap { one in program.map { $0 + one } }
                case .rightNonTail: program.flatMap { value in DeepIO.pure(1).map { value + $0 } }
                default: program
                }
            }
            let extra = self == .leftEnv || self == .right ? 0 : 1
            return self == .right
                ? try await start.flatMap { _ in countdown(depth) }.run(1) : try await program.run(1) - extra
        }
    }
}

private func waiting(_ count: Int) -> DeepIO {
    count == 0 ? .pure(0) : DeepIO { (one: Int) async in count - one }.flatMap(waiting)
}

/// The programs of `State`.
enum DeepState: String, CaseIterable, Sendable {
    case right, left, leftMap, rightData, freeLeft, freeRight, bound, traverse, bindings, nestedBindings

    func expected(_ depth: Int) -> Int {
        self == .freeLeft || self == .freeRight ? 0 : depth
    }

    func run(_ depth: Int) -> Int {
        let step = State<Int, Void>.update { $0 += 1 }
        switch self {
        case .right:
            return countUp(depth).exec(0)
        case .left:
            return (0..<depth).reduce(step.as(())) { program, index in
                program.flatMap { index == 0 ? .pure(()) : step }
            }.exec(0)
        case .leftMap:
            return (0..<depth).reduce(State<Int, Int>.pure(0)) { program, _ in program.map { $0 + 1 } }.eval(0)
        case .rightData:
            return (1..<depth).reduce(step) { inner, _ in step.flatMap { inner } }.exec(0)
        case .bound:
            // Each binding extends the program that its inner binding yields, and gives it a variable to read.
            let program = EnvIO<Int, Never, State<Int, Void>>.var()
            let nested = (1..<depth).reduce(EnvIO<Int, Never, State<Int, Void>>(.success(step))) { inner, _ in
                binding(program <- inner, yield: program.get.followed(by: step))
            }
            return nested.runSync(1).exec(0)
        case .traverse:
            return (0..<depth).traverse { _ in step }.exec(0)
        case .bindings:
            let count = State<Int, Int>.var()
            return countUpBinding(depth, count).exec(0)
        case .nestedBindings:
            // A step of each binding captures the next one.
            return (1..<depth).reduce(step) { inner, _ in binding(|<-inner, |<-step, yield: ()) }.exec(0)
        case .freeLeft:
            _ = (0..<depth).reduce(step) { program, _ in program.flatMap { step } }
            return 0
        case .freeRight:
            _ = (0..<depth).reduce(step) { inner, _ in step.flatMap { inner } }
            return 0
        }
    }
}

private func countUpBinding(_ count: Int, _ variable: StateVariable<Int, Int>) -> State<Int, Void> {
    guard count > 0 else { return .pure(()) }
    return binding(|<-.update { $0 += 1 }, variable <- .pure(count - 1), yield: variable.get)
        .flatMap { countUpBinding($0, variable) }
}

private func countUp(_ count: Int) -> State<Int, Void> {
    count == 0 ? .pure(()) : State<Int, Void>.update { $0 += 1 }.flatMap { countUp(count - 1) }
}
