import FunctionalCore
import TestSupport
import VirtualTime

/// The outcome and the log of a run that is cancelled from outside as soon as it waits.
///
/// The run has a manual executor. It is cancelled when no job is ready, and not after some time. Equal programs
/// therefore have equal runs.
struct CancelledRun: Equatable, Sendable {
    /// The line that marks the cancellation in the log.
    static let mark = "cancelled from outside"

    /// The outcome of the run, or `nil` if the run still waited after it had been cancelled.
    var outcome: Outcome<Int, ProgramFailure>?
    /// The lines that the run wrote, with ``mark`` among them if the run was cancelled.
    var log: [String]
}

extension CancelledRun {
    /// Creates the result of running `program` until it ends or waits.
    ///
    /// If the program waits, this initializer cancels the run, opens the gate, and drains the executor again.
    ///
    /// Tasks that the program starts must run on the executor, as child tasks do.
    init(of program: GeneratedProgram, in number: Int, opening gate: Latch) {
        let scheduler = VirtualScheduler()
        let world = ProgramWorld(number: number)
        let end = Guarded<Outcome<Int, ProgramFailure>?>(nil)
        let run = Reporting.$isSilent.withValue(true) {
            Task(executorPreference: scheduler.executor) {
                let outcome = await program.outcome(world)
                end.value = outcome
            }
        }
        scheduler.drain()
        if end.value == nil {
            world.log.append(Self.mark)
            run.cancel()
            gate.countDown()
            scheduler.drain()
        }
        self.init(outcome: end.value, log: world.log.lines)
    }
}
