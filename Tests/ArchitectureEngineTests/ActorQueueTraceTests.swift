import ArchitectureEngine
import FunctionalCore
import TestSupport
import Testing

/// The causes of the calls that an actor's queue makes.
@Suite(.timeLimit(.minutes(10))) struct ActorQueueTraceTests {
    private let seen = Record<String>()

    private func note() {
        let cause = TraceCause.current
        seen.append("\(cause.map { "\($0.id)" } ?? "none") \(cause?.sender.map { "\($0)" } ?? "")")
    }

    @MainActor @Test func eachCallHasTheCauseOfItsPost() async throws {
        let tracer = Tracer(Trace { _ in }, owner: Int.self)
        let works: [TracedWork?] = [tracer.begin("a", .effect), tracer.begin("b", .effect)]
        let queue = ActorQueue(of: MainActor.shared)
        // All calls are enqueued before the main actor makes the first one.
        works[0].run { queue.post { note() } }
        queue.post { note() }
        works[1].run { queue.post(as: .observer) { note() } }
        queue.post(as: .observer) { note() }
        var posts = -1
        while try await !queue.flush(posts: &posts) {}
        #expect(seen.values == ["1 effect", "none ", "2 observer", "none "])
    }
}
