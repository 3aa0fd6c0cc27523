// The code of the article on choosing a front door.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing

@Suite("The article on choosing a front door", .timeLimit(.minutes(10)))
struct ChoosingAFrontDoorExampleTests {
    struct Disk: Sendable { var save: @Sendable (Int) async throws -> Void }

    struct Counter: Equatable, Sendable {
        enum Status { case saved, saving, failed }

        var count = 0
        var status = Status.saved
    }

    private func stateOfTheComponent(_ disk: Disk) async -> Counter {
        let counter = StateDispatcher<Disk, Counter, Int>.workflow(policy: .latest) { count in
            [
                .pure(.set(Counter(count: count, status: .saving))),
                EnvIO { disk in
                    try await disk.save(count)
                    return .update { $0.status = .saved }
                },
            ]
        }
        .handleError { _, _ in .update { $0.status = .failed } }

        let component = Component(initialState: Counter(), environment: disk, dispatcher: counter)
        await component.send(3).finish()

        return component.state
    }

    private func modelOfTheLoop(_ disk: Disk) async throws -> Counter {
        enum CounterEvent {
            case set(Int)
            case saved, failed
        }
        enum CounterEffect: Equatable { case save(Int) }

        let update = Update<Counter, CounterEvent, CounterEffect> { counter, event in
            switch event {
            case .set(let count): .next(Counter(count: count, status: .saving), effects: [.save(count)])
            case .saved: .next(Counter(count: counter.count, status: .saved))
            case .failed: .next(Counter(count: counter.count, status: .failed))
            }
        }
        let handler = EffectRouter<CounterEffect, CounterEvent>()
            .routeCase(CounterEffect.save).policy(.latest).toEvent { count in
                do { try await disk.save(count) } catch { return .failed }
                return .saved
            }

        let loop = Mobius.loop(update: update, effectHandler: handler).start(from: Counter())
        loop.dispatchEvent(.set(3))
        try await loop.settled()

        return loop.latestModel
    }

    private func stateOfTheStore(_ disk: Disk) async throws -> Counter {
        struct SetCount: Action { let count: Int }
        struct CountSaved: Action {}
        struct SaveFailed: Action {}

        let reducer: ReducerFn<Counter> = combineReducers(
            on(SetCount.self) { counter, set in counter = Counter(count: set.count, status: .saving) },
            on(CountSaved.self) { counter, _ in counter.status = .saved },
            on(SaveFailed.self) { counter, _ in counter.status = .failed }
        )
        let saving = Effect<Disk> { actions, disk in
            actions.ofType(SetCount.self).flatMap(.latest) { set in
                ActionStream<any Action> {
                    try await disk.save(set.count)
                    return CountSaved()
                }
                .replaceError(with: SaveFailed())
            }
        }

        let store = Store(reducer: reducer, initialState: Counter(), environment: disk, effects: [saving])
        store.dispatch(action: SetCount(count: 3))
        try await store.settled()

        return store.state
    }

    private func finalStates(_ disk: Disk) async throws -> [Counter] {
        [await stateOfTheComponent(disk), try await modelOfTheLoop(disk), try await stateOfTheStore(disk)]
    }

    @Test("All three front doors save the count, and show that it is saved")
    func allThreeSaveTheCount() async throws {
        let saved = Record<Int>()
        let states = try await finalStates(Disk { count in saved.append(count) })
        #expect(states == Array(repeating: Counter(count: 3, status: .saved), count: 3))
        #expect(saved.values == [3, 3, 3])
    }

    @Test("All three front doors keep the count if it cannot be saved, and show the failure")
    func allThreeShowAFailure() async throws {
        struct Full: Error {}
        let states = try await finalStates(Disk { _ in throw Full() })
        #expect(states == Array(repeating: Counter(count: 3, status: .failed), count: 3))
    }
}
