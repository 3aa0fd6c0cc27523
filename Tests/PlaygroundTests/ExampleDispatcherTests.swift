import ArchitectureTesting
import Dispatcher
import ExampleDispatchers
import ResourceLoading
import TestSupport
import Testing

/// The dispatchers of the stepper, the die, the screen and the dashboard, without their programs.
@Suite(.timeLimit(.minutes(10))) struct ExampleDispatcherTests {
    @Test func `the stepper counts up and down`() {
        let test = TestDriver(stepperDispatcher, state: 7, environment: ())
        test.send(.tapIncrement) { $0 = 8 }
        test.send(.tapDecrement) { $0 = 7 }
        test.finish()
    }

    @Test func `the die asks its environment for a number within its sides`() {
        let test = TestDriver(dieDispatcher, state: Die(), environment: Randomness { $0.upperBound })
        test.send(.roll(sides: 20)) { die in
            die.number = 20
            die.rolls = 1
        }
        test.finish()
    }

    @Test func `the same seed repeats its numbers`() {
        func numbers(_ seed: UInt64) -> [Int] {
            let randomness = Randomness.seeded(seed)
            return (0..<20).map { _ in randomness.number(1...1_000) }
        }
        #expect(numbers(1) == numbers(1))
        #expect(numbers(1) != numbers(2))
    }

    @Test func `the screen shows the progress and the result of a load`() {
        let summary = ResourceSummary(size: 3, type: "text/plain", preview: .text(firstLines: ["abc"]))
        let half = LoadProgress(bytes: 2, total: 3)
        let loader = ResourceLoader { location in
            ResourceLoader.Events { continuation in
                #expect(location == "somewhere")
                continuation.yield(.progress(half))
                continuation.yield(.loaded(summary))
                continuation.finish()
            }
        }
        let test = TestDriver(screenDispatcher, state: .empty, environment: loader)
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        test.change(from: load) { $0 = .loading(half) }
        test.change(from: load) { $0 = .loaded(summary) }
        test.send(.cancelled)
        test.finish()
    }

    @Test func `a failed load is a state`() {
        let loader = ResourceLoader { location in
            ResourceLoader.Events { $0.finish(throwing: LoadError.noSuchFile(path: location)) }
        }
        let test = TestDriver(screenDispatcher, state: .empty, environment: loader)
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        test.change(from: load) { $0 = .failed(reason: "There is no file somewhere.") }
        // The load has ended, so the cancellation has no effect.
        test.send(.cancelled)
        test.finish()
    }

    @Test func `a cancelled load shows its progress, and nothing later`() {
        let half = LoadProgress(bytes: 2, total: 3)
        let (events, continuation) = ResourceLoader.Events.makeStream()
        let test = TestDriver(screenDispatcher, state: .empty, environment: ResourceLoader { _ in events })
        let load = test.send(.load(location: "somewhere")) { $0 = .loading(nil) }
        continuation.yield(.progress(half))
        test.change(from: load) { $0 = .loading(half) }
        test.expectWork(load, .waiting)
        test.cancel(load)
        test.send(.cancelled) { $0 = .cancelled(half) }
        continuation.finish(throwing: LoadError.noSuchFile(path: "somewhere"))
        test.finish()
    }

    @Test func `the dashboard gives each child its part and its environment`() {
        let summary = ResourceSummary(size: 0, type: "text/plain", preview: .empty)
        let environment = DashboardEnvironment(
            randomness: Randomness { $0.upperBound },
            loader: ResourceLoader { _ in
                ResourceLoader.Events {
                    $0.yield(.loaded(summary))
                    $0.finish()
                }
            })
        let test = TestDriver(dashboardDispatcher, state: DashboardState(), environment: environment)
        test.send(.stepper(.tapIncrement)) { $0.stepper = 1 }
        test.send(.die(id: 2, .roll(sides: 6))) { dashboard in
            dashboard.dice[1].die.number = 6
            dashboard.dice[1].die.rolls = 1
        }
        test.send(.addDie) { $0.dice.append(NumberedDie(id: 3)) }
        test.send(.die(id: 99, .roll(sides: 6)))
        test.expectFailure(AbsentChild.self)
        let load = test.send(.screen(.load(location: "somewhere"))) { $0.screen = .loading(nil) }
        test.change(from: load) { $0.screen = .loaded(summary) }
        test.finish()
    }
}
