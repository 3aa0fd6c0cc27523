import FunctionalCore
import TestSupport
import VirtualTime

struct Broken: Error, Equatable {
    var name = ""
}

/// A world whose time stands still until it is advanced, and that writes down what is done in it.
struct World: Sendable {
    let scheduler: VirtualScheduler
    let log = Log()

    init(seed: UInt64? = nil) {
        scheduler = VirtualScheduler(seed: seed)
    }

    var seconds: Int { Int(scheduler.clock.now.offset.components.seconds) }

    /// Writes `line` and when that was.
    func write(_ line: String) {
        log.append("\(seconds) \(line)")
    }

    /// Runs `program` to its end, however long that takes, and says how it ended.
    func outcome<Value: Sendable>(of program: EnvIO<World, Broken, Value>) throws -> Outcome<Value, Broken> {
        try scheduler.run { await program.outcome(self) }
    }

    /// Begins `program`, and writes how it ends.
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
}

extension Outcome {
    /// In a word and without the value's type.
    var word: String {
        switch self {
        case .value(let value): "\(value)"
        case .failure(let failure as Broken): "Broken \(failure.name)"
        case .failure(let failure): "\(failure)"
        case .cancelled: "cancelled"
        }
    }
}

typealias Step<Value> = EnvIO<World, Broken, Value>

/// Writes its name, and ends in it.
func step(_ name: String) -> Step<String> {
    Step<String> { world in
        world.write(name)
        return name
    }
}

func failing(_ name: String) -> Step<String> {
    step(name).flatMap { _ in .fail(Broken(name: name)) }
}

/// Waits.
func pause(_ seconds: Int) -> Step<Void> {
    .accessM { world in .sleep(for: .seconds(seconds), clock: world.scheduler.clock) }
}

extension EnvIO where Environment == World, Failure == Broken {
    func after(_ seconds: Int) -> EnvIO {
        pause(seconds).followed(by: self)
    }

    /// Writes when it begins and, when it has taken so long to wind down, that it has.
    func guarded(_ name: String, winding seconds: Int = 0) -> EnvIO {
        .bracket(
            acquire: step("open \(name)"), release: { _ in step("close \(name)").after(seconds).void },
            use: { _ in self })
    }
}
