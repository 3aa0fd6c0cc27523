import Dispatcher
import Foundation
import FunctionalCore
import Optics
import TestSupport
import Testing

/// A source of random numbers that returns the numbers of a list in order.
private final class Loaded: Randomness, Sendable {
    private let numbers: Guarded<[Int]>

    init(_ numbers: [Int]) { self.numbers = Guarded(numbers) }

    func getInt<E>(in range: ClosedRange<Int>) -> EnvIO<E, any Error, Int> {
        EnvIO { _ in self.numbers.withLock { $0.removeFirst() } }
    }
}

private struct Library: Network {
    var content: Result<String, Missing> = .success("hello")

    func load<E>() -> EnvIO<E, any Error, Data> {
        let content = content
        return EnvIO { (_: E) async throws in
            await Task.yield()
            return Data(try content.get().utf8)
        }
    }
}

private struct Missing: Error, Equatable {}
private struct NoDatabase: Database {}

/// The specification's dispatchers behave as its text says, and run in a component unchanged.
@Suite("Specification: dispatchers", .timeLimit(.minutes(10)))
struct DispatcherExampleTests {
    @Test func theStepperCountsUpAndDown() {
        let component = Component(initialState: 0, environment: (), dispatcher: stepperDispatcher)
        component.send(.tapIncrement)
        component.send(.tapIncrement)
        component.send(.tapDecrement)
        #expect(component.state == 1)
        #expect(stepperDispatcher.on(.tapIncrement).count == 1)
    }

    @Test func theDieShowsTheRandomNumber() throws {
        let random = Loaded([5, 2])
        let component = Component(initialState: Die(number: 1), environment: random, dispatcher: dieDispatcher)
        component.send(.roll)
        #expect(component.state.number == 5)
        component.send(.roll)
        #expect(component.state.number == 2)
        let actions = dieDispatcher.on(.roll)
        #expect(actions.count == 1)
        #expect(try actions[0].runSync(Loaded([3])).exec(Die(number: 1)).number == 3)
    }

    @Test func theScreenShowsLoadingAndThenTheData() async {
        let component = Component(
            initialState: ScreenState.loading, environment: Library(), dispatcher: screenDispatcher)
        let seen = Guarded<[String]>([])
        component.observe { state in
            switch state {
            case .loading: seen.withLock { $0.append("loading") }
            case .loaded(let data): seen.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
            }
        }
        await component.send(.fetchData).finish()
        #expect(seen.withLock { $0 } == ["loading", "loading", "hello"])
    }

    @Test func aFailureReachesOnErrorAndTheScreenKeepsLoading() async {
        let component = Component(
            initialState: ScreenState.loaded(Data()), environment: Library(content: .failure(Missing())),
            dispatcher: screenDispatcher)
        let errors = Guarded<[String]>([])
        component.onError { error, input in errors.withLock { $0.append("\(error) \(input)") } }
        await component.send(.fetchData).finish()
        #expect(errors.withLock { $0 } == ["Missing() fetchData"])
        guard case .loading = component.state else {
            Issue.record("The screen shows \(component.state).")
            return
        }
    }

    @Test func theWidenedScreenChangesOnlyItsPart() async {
        let component = Component(
            initialState: ParentState(screen: .loading, other: OtherState()),
            environment: Dependencies(network: Library(), database: NoDatabase()),
            dispatcher: appDispatcher)
        component.send(.other(.tick))
        await component.send(.screen(.fetchData)).finish()
        #expect(component.state.other == OtherState(count: 1))
        guard case .loaded(let data) = component.state.screen else {
            Issue.record("The screen shows \(component.state.screen).")
            return
        }
        #expect(data == Data("hello".utf8))
    }
}
