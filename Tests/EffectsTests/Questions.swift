import Effects
import FunctionalCore
import TestSupport
import VirtualTime

/// A question.
struct Asked: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "asked \(id)" }
}

/// The answer to a question.
struct Answered: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "answered \(id)" }
}

/// A report that a question has no answer.
struct Failed: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "failed \(id)" }
}

struct Unanswerable: Error, Equatable {
    var id = 0
}

/// A reducer whose state is the list of all actions.
let journal: ReducerFn<[String]> = { lines, action in lines.append("\(action)") }

/// Stores that keep a journal, on a clock and an executor that only the test advances.
struct QuestionWorld: Sendable {
    let scheduler: VirtualScheduler
    let log = Log()
    private let end: Witness

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = Witness { scheduler.drain() }
    }

    var clock: VirtualClock { scheduler.clock }

    func store(_ effects: Effect<Void>...) -> Store<[String]> {
        Store(
            reducer: journal, initialState: [], effects: effects, executor: scheduler.executor)
    }

    /// An effect that emits the stream that `answers` returns for the stream of questions. Without a policy for its
    /// failures, it restarts at most ten times in a row, on the clock of this world.
    func effect(
        dispatch: Bool = true,
        onFailure: FailurePolicy? = nil,
        _ answers: (ActionStream<Asked>) -> ActionStream<Answered>
    ) -> Effect<Void> {
        Effect(dispatch: dispatch, onFailure: onFailure ?? .restart(atMost: 10, clock: clock)) { actions in
            answers(actions.ofType(Asked.self)).eraseActionType()
        }
    }

    /// An effect that logs every action after `prefix`, and dispatches nothing.
    func logging(_ prefix: String = "") -> Effect<Void> {
        Effect(dispatch: false) { [log] actions in actions.handleEvents { log.append(prefix + "\($0)") } }
    }

    /// An effect that answers a question after as many seconds as its id.
    func sleeping(_ policy: Policy = .concurrent) -> Effect<Void> {
        effect { [clock] asked in
            asked.flatMap(policy) { asked in
                try await clock.sleep(for: .seconds(asked.id))
                return Answered(id: asked.id)
            }
        }
    }

    /// Returns the answers of an effect to questions with these ids, dispatched in order.
    func answers(
        to ids: [Int],
        _ answers: (ActionStream<Asked>) -> ActionStream<Answered>
    ) -> [Int] {
        let record = Record<Int>()
        let store = store(effect { actions in answers(actions).handleEvents { record.append($0.id) } })
        for id in ids { store.dispatch(action: Asked(id: id)) }
        return record.values
    }
}

extension Store<[String]> {
    func ask(_ ids: Int...) {
        for id in ids { dispatch(action: Asked(id: id)) }
    }

    /// The answers that have been dispatched.
    var answers: [String] { state.filter { $0.hasPrefix("answered") } }
}

extension EffectStatus {
    var isRunning: Bool { if case .running = self { true } else { false } }
    var isFinished: Bool { if case .finished = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
    var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}
