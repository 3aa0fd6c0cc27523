import FunctionalCore
import VirtualTime

/// A run that is cancelled from outside as soon as it waits for something that does not happen by itself.
///
/// The run has an executor of its own, on which nothing moves by itself: it is cancelled when no job is ready, and not
/// after some time. Equal programs therefore have equal runs.
struct CancelledRun: Equatable, Sendable {
    /// The line of the log at which the run was cancelled.
    static let mark = "cancelled from outside"

    /// How the run ended; `nil` if it still waited after it had been cancelled.
    var outcome: Outcome<Int, ProgramFailure>?
    /// What the run did.
    var log: [String]
}

extension CancelledRun {
    /// Runs `program` until it ends or waits. If it waits, cancels the run, opens the gate, and lets it end.
    ///
    /// Tasks that the program starts must follow the executor, as child tasks do.
    init(of program: GeneratedProgram, in number: Int, _ gate: Gate) {
        let scheduler = VirtualScheduler()
        let world = ProgramWorld(number: number)
        let end = Lock<Outcome<Int, ProgramFailure>?>(nil)
        let run = Reporting.$isSilent.withValue(true) {
            Task(executorPreference: scheduler.executor) {
                let outcome = await program.outcome(world)
                end.withLock { $0 = outcome }
            }
        }
        scheduler.drain()
        if end.withLock({ $0 == nil }) {
            world.log.append(Self.mark)
            run.cancel()
            gate.open()
            scheduler.drain()
        }
        self.init(outcome: end.withLock { $0 }, log: world.log.lines)
    }
}
