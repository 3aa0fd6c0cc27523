import Dispatcher
import FunctionalCore
import TestSupport
import Testing

/// Mistakes stop the process with a message that says how to mend them.
@Suite("Component: misuse")
struct ComponentMisuseTests {
    final class Link: @unchecked Sendable {
        // Unchecked: set before the first input and only read afterwards.
        var component: Component<Int, Bool>?
    }

    private static func component(
        _ change: @escaping @Sendable (Component<Int, Bool>?, inout Int) -> Void
    ) -> Component<Int, Bool> {
        let link = Link()
        let component = Component(
            initialState: 0, environment: (),
            dispatcher: StateDispatcher<Void, Int, Bool>.pure { _ in .update { change(link.component, &$0) } })
        link.component = component
        return component
    }

    @Test(.promptly) func sendingFromInsideAChangeIsReported() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.component { component, _ in component?.send(false) }.send(true)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("Component<Int, Bool> was sent false from"))
        #expect(message.contains("from inside one of its own transitions. To fix, "))
    }

    @Test(.promptly) func readingFromInsideAChangeIsReported() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            Self.component { component, state in state = component?.state ?? 0 }.send(true)
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            message.contains("Component<Int, Bool> was asked for its state from inside one of its own transitions."))
    }

    @Test(.promptly) func aFailureThatNobodyObservesIsWrittenToStandardError() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let dispatcher = StateDispatcher<Void, Int, String>.effectful { _ in .fail(Broken()) }
            Component(initialState: 0, environment: (), dispatcher: dispatcher).send("hello")
        }
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("An action for the input hello failed, and nobody observes errors: Broken()"))
    }
}
