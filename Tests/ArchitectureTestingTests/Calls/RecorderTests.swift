import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct RecorderTests {
    private struct LoadError: Error {}

    /// Members of all shapes. `sum` is not `@Sendable`.
    private struct API {
        var load: @Sendable (Int) async throws -> String
        var count: @Sendable () -> Int
        var save: @Sendable (Post, Int, String?) throws -> Bool
        var pause: @Sendable (Duration) async -> Void
        var watch: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
        var find: @Sendable (String) async throws(LoadError) -> Int
        var render: @MainActor @Sendable (Int) -> String
        var refresh: @MainActor @Sendable () async throws -> [Post]
        var sum: (Int, Int) -> Int
    }

    private let calls = Recorder()

    private func api() -> API {
        API(
            load: calls.stub("load") { id in
                if id < 0 { throw LoadError() }
                await Task.yield()
                return "post \(id)"
            },
            count: calls.stub("count") { 7 },
            save: calls.stub("save") { post, index, title in
                if title == nil { throw LoadError() }
                return post.id == index
            },
            pause: calls.stub("pause") { _ in await Task.yield() },
            watch: calls.stub("watch") { callback in callback(3) },
            find: { [calls] name throws(LoadError) in
                calls.record("find", name)
                throw LoadError()
            },
            render: calls.stub("render") { "post \($0)" },
            refresh: calls.stub("refresh") { [Post(id: 1)] },
            sum: calls.stub("sum", +))
    }

    @Test("Functions of all shapes call their bodies, and record their calls in order")
    @MainActor func shapes() async throws {
        let api = api()
        let seen = Record<Int>()
        #expect(try await api.load(5) == "post 5")
        await #expect(throws: LoadError.self) { try await api.load(-1) }
        #expect(api.count() == 7)
        #expect(try api.save(Post(id: 2), 2, "a"))
        #expect(throws: LoadError.self) { try api.save(Post(), 0, nil) }
        await api.pause(.seconds(1))
        api.watch { seen.append($0) }
        #expect(seen.values == [3])
        await #expect(throws: LoadError.self) { try await api.find("b") }
        #expect(api.render(4) == "post 4")
        #expect(try await api.refresh() == [Post(id: 1)])
        #expect(api.sum(1, 2) == 3)
        #expect(
            calls.all.map(\.description) == [
                "load(5)", "load(-1)", "count()", #"save(Post(id: 2, title: "Title"), 2, Optional("a"))"#,
                #"save(Post(id: 0, title: "Title"), 0, nil)"#, "pause(1.0 seconds)", "watch({ … })", #"find("b")"#,
                "render(4)", "refresh()", "sum(1, 2)",
            ])
        #expect(calls.all.map(\.number) == Array(1...11))

        calls.expectCall("load", 5)
        calls.expectCall("load", -1)
        calls.expectCall("count")
        calls.expectCall("save", Post(id: 2), 2, "a")
        calls.expectCall("save", Post(), 0, nil as String?)
        calls.expectCall("pause", Duration.seconds(1))
        let watch = calls.expectCall(named: "watch")
        (watch?.arguments.first as? @Sendable (Int) -> Void)?(8)
        #expect(seen.values == [3, 8])
        calls.expectCall("find", "b")
        calls.expectCall("render", 4)
        calls.expectCall("refresh")
        calls.expectCall("sum", 1, 2)
        calls.expectNoCalls()
    }

    @Test("A synchronous stub serves an asynchronous member, and a stub without context has the type of its body")
    func otherTypes() async throws {
        let load: @Sendable (Int) async throws -> String = calls.stub("load") { "post \($0)" }
        let join = calls.stub("join") { (left: String, right: Int) in left + "\(right)" }
        let live: @Sendable (Int) async throws -> String = { "live \($0)" }
        let spied: @Sendable (Int) async throws -> String = calls.stub("spied", live)
        #expect(try await load(1) == "post 1")
        #expect(join("a", 2) == "a2")
        #expect(try await spied(3) == "live 3")
        #expect(calls.all.map(\.description) == ["load(1)", #"join("a", 2)"#, "spied(3)"])
    }

    @Test("A call is recorded before its body is called")
    func order() {
        let inner: @Sendable () -> Void = calls.stub("inner") {}
        let outer: @Sendable () -> Void = calls.stub("outer") { inner() }
        outer()
        #expect(calls.all.map(\.name) == ["outer", "inner"])
    }

    @Test("Calls of several threads are all recorded, and have different numbers")
    func threads() {
        let count = 500
        let note: @Sendable (Int, Int) -> Void = calls.stub("note") { _, _ in }
        onThreads(4) { thread in
            for index in 0..<count { note(thread, index) }
        }
        let all = calls.all
        #expect(all.map(\.number) == Array(1...(4 * count)))
        for thread in 0..<4 {
            let own = all.filter { $0.arguments.first as? Int == thread }
            #expect(own.compactMap { $0.arguments.last as? Int } == Array(0..<count))
        }
    }

    @Test("A call of an effect has the action that led to it as its root, also after a wait")
    func causes() {
        let scheduler = VirtualScheduler()
        let load: @Sendable (String) async throws -> String = calls.stub("load") { "post \($0)" }
        let effect = Effect.map(GetPost.self) { get in
            try await scheduler.clock.sleep(until: scheduler.clock.now.advanced(by: .seconds(1)), tolerance: nil)
            return GotPost(title: try await load(get.id))
        }
        let events = TraceBuffer()
        let store = Store(
            reducer: posts, initialState: Posts(), effects: [effect], executor: scheduler.executor,
            trace: Trace(to: events))
        store.dispatch(action: GetPost(id: "1"))
        store.dispatch(action: GetPost(id: "2"))
        scheduler.advance(by: .seconds(1))
        let received = events.all.compactMap { event in
            if case .received(let action, _) = event.kind, action.value is GetPost { event.id } else { nil }
        }
        #expect(received.count == 2)
        #expect(calls.all.map(\.rootID) == received)
        #expect(calls.all.allSatisfy { $0.causeID != nil })
        #expect(store.state.title == "post 2")
    }

    @Test("The cause of a call is the work that makes it, and the root is the first message of the chain")
    func causeAndRoot() {
        let tracer = Tracer(Trace { _ in }, owner: Int.self)
        var work: TracedWork?
        tracer.process("first", from: tracer.origin { nil }) {
            tracer.process("second", from: tracer.origin { nil }) {
                work = tracer.begin("work", .effect)
                work.run { calls.record("load", 5) }
            }
        }
        let call = calls.all.first
        #expect(call?.causeID == work?.cause.id)
        #expect(call?.rootID == work?.cause.root.id)
        #expect(call?.rootID == 1)
    }

    @Test("A call outside of a trace has no cause")
    func noCause() {
        calls.record("load", 5)
        #expect(calls.all.map(\.rootID) == [nil])
        #expect(calls.all.map(\.causeID) == [nil])
    }

    @Test("A recorder and its arguments are released with the functions")
    func lifetime() {
        weak var recorder: Recorder?
        weak var argument: Tracked?
        do {
            let calls = Recorder()
            let keep: @Sendable (Tracked) -> Void = calls.stub("keep") { _ in }
            let value = Tracked()
            keep(value)
            (recorder, argument) = (calls, value)
            #expect(argument != nil)
        }
        #expect(recorder == nil)
        #expect(argument == nil)
    }

    private final class Tracked: Sendable {}
}

struct Post: Equatable, Sendable {
    var id = 0
    var title = "Title"
}
