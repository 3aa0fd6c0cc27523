import FunctionalCore
import TestSupport
import Testing
import VirtualTime

struct Broken: Error, Equatable {
    var name = ""
}

/// An environment with virtual time, which the test advances, and a log of what programs do.
struct World: Sendable {
    let scheduler: VirtualScheduler
    let log = Log()

    init(seed: UInt64? = nil) {
        scheduler = VirtualScheduler(seed: seed)
    }

    var seconds: Int { Int(scheduler.clock.now.offset.components.seconds) }

    /// Appends the current second and `line` to the log.
    func write(_ line: String) {
        log.append("\(seconds) \(line)")
    }

    /// Runs `program` to its end, advancing the time as needed, and returns its outcome.
    func outcome<Value: Sendable>(of program: EnvIO<World, Broken, Value>) throws -> Outcome<Value, Broken> {
        try scheduler.run { await program.outcome(self) }
    }

    /// Starts `program`, and logs its outcome when it ends.
    @discardableResult
    func start<Value: Sendable>(_ program: EnvIO<World, Broken, Value>) -> Task<Void, any Error> {
        let task = scheduler.start {
            let outcome = await program.outcome(self)
            write("ended as \(outcome.word)")
        }
        scheduler.drain()
        return task
    }

    func cancel(_ task: Task<Void, any Error>) {
        task.cancel()
        scheduler.drain()
    }

    func advance(by seconds: Int) {
        scheduler.advance(by: .seconds(seconds))
    }

    /// Returns the memoized form of `program`.
    func memoized<Value: Sendable>(_ program: Step<Value>) throws -> Step<Value> {
        try #require(try outcome(of: program.memoize()).value)
    }
}

extension Outcome {
    /// A short description of the outcome, without the type of the value.
    var word: String {
        switch self {
        case .value(let value): "\(value)"
        case .failure(let failure as Broken): "Broken \(failure.name)"
        case .failure(let failure): "\(failure)"
        case .cancelled: "cancelled"
        }
    }
}

/// Returns what a run of `program` logs that is cancelled after some seconds. At its end, no task may sleep.
func lines<Value: Sendable>(of program: Step<Value>, cancelledAfter seconds: Int = 0) -> [String] {
    let world = World()
    let task = world.start(program)
    world.advance(by: seconds)
    world.cancel(task)
    world.advance(by: 1_000)
    #expect(world.scheduler.clock.sleeperCount == 0)
    return world.log.lines
}

/// A program that cancels its own run.
let cancelling = Step<Void> { _ in withUnsafeCurrentTask { $0?.cancel() } }

typealias Step<Value> = EnvIO<World, Broken, Value>

/// Returns a program that logs `name` and succeeds with it.
func step(_ name: String) -> Step<String> {
    Step<String> { world in
        world.write(name)
        return name
    }
}

func failing(_ name: String) -> Step<String> {
    step(name).flatMap { _ in .fail(Broken(name: name)) }
}

func pause(_ seconds: Int) -> Step<Void> {
    .accessM { world in .sleep(for: .seconds(seconds), clock: world.scheduler.clock) }
}

extension EnvIO where Environment == World, Failure == Broken {
    func after(_ seconds: Int) -> EnvIO {
        pause(seconds).followed(by: self)
    }

    /// Wraps this program in a bracket that logs its acquisition and, after `seconds`, its release.
    func guarded(_ name: String, winding seconds: Int = 0) -> EnvIO {
        .bracket(
            acquire: step("open \(name)"), release: { _ in step("close \(name)").after(seconds).void },
            use: { _ in self })
    }
}
