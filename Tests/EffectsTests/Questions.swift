import Effects
import FunctionalCore
import TestSupport
import VirtualTime

/// Wants to know something.
struct Asked: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "asked \(id)" }
}

/// Knows it.
struct Answered: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "answered \(id)" }
}

/// Does not know it.
struct Failed: Action, Equatable, CustomStringConvertible {
    let id: Int
    var description: String { "failed \(id)" }
}

struct Unanswerable: Error, Equatable {
    var id = 0
}

/// The state is the list of all actions.
let journal: ReducerFn<[String]> = { lines, action in lines.append("\(action)") }

/// Stores that keep a journal, on a clock and an executor that only the test moves.
struct QuestionWorld: Sendable {
    let scheduler: VirtualScheduler
    private let end: AtEnd

    init() {
        let scheduler = VirtualScheduler()
        self.scheduler = scheduler
        end = AtEnd { scheduler.drain() }
    }

    var clock: VirtualClock { scheduler.clock }

    func store(_ effects: Effect<Void>...) -> Store<[String]> {
        Store(
            reducer: journal, initialState: [], effects: effects, executor: scheduler.executor)
    }

    /// An effect that answers each question with what `answers` makes of all of them.
    func effect(
        dispatch: Bool = true,
        onFailure: FailurePolicy = .restart(atMost: 10),
        _ answers: (ActionStream<Asked>) -> ActionStream<Answered>
    ) -> Effect<Void> {
        Effect(dispatch: dispatch, onFailure: onFailure) { actions in
            answers(actions.ofType(Asked.self)).eraseActionType()
        }
    }

    /// What an effect answers when it is asked 1, 2, … one after the other.
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

/// Sees when it goes away.
final class Witness: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}

extension Store<[String]> {
    func ask(_ ids: Int...) {
        for id in ids { dispatch(action: Asked(id: id)) }
    }
}
