/// What a begun program has come to.
@usableFromInline
package enum Begun<Value, Failure: Error> {
    case finished(Outcome<Value, Failure>)
    case waiting(Suspended<Value, Failure>)
}

/// A run that has to wait, on its way from the thread that began it to the task that finishes it.
///
/// Unchecked: the thread that began the run gives it away with this object, and `finish` is called once.
@usableFromInline
package final class Suspended<Value, Failure: Error>: @unchecked Sendable {
    private var machine: Machine?

    @usableFromInline
    init(_ machine: consuming Machine) {
        self.machine = consume machine
    }

    /// Goes on to the program's end, in the caller's isolation; cancelling the current task cancels the run.
    @usableFromInline
    package nonisolated(nonsending) func finish() async -> Outcome<Value, Failure> {
        // Taken out before the first `await`: no field is in use across one.
        guard var machine = machine.take() else { programmerError("A run of \(Value.self) was finished twice.") }
        machine.heedTask()
        let signal = await machine.finish(from: .suspend)
        return machine.takeOutcome(signal)
    }
}
