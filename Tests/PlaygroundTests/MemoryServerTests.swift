import ExampleLoops
import ExampleStores
import FunctionalCore
import MemoryServer
import TestSupport
import Testing
import VirtualTime

/// The servers in memory, in virtual time.
@Suite(.timeLimit(.minutes(10))) struct MemoryServerTests {
    private let time = VirtualScheduler()

    private func conditions() -> ServerConditions {
        ServerConditions(latency: .seconds(1), clock: time.clock)
    }

    /// Returns how long a request takes, and its error.
    private func answer(_ conditions: ServerConditions) -> (Duration, (any Error)?) {
        let clock = time.clock
        let result = Ref<(duration: Duration, error: (any Error)?)>((.seconds(99), nil))
        let start = clock.now
        time.start {
            do {
                try await conditions.answer()
                result.set((start.duration(to: clock.now), nil))
            } catch {
                result.set((start.duration(to: clock.now), error))
            }
        }
        time.advance(by: .seconds(60))
        return result.get()
    }

    @Test func `latencies last, delays and faults are for one request`() {
        let conditions = conditions()
        #expect(answer(conditions).0 == .seconds(1))
        conditions.perform(.delay(.seconds(2)))
        conditions.perform(.delay(.seconds(3)))
        #expect(answer(conditions).0 == .seconds(6))
        conditions.perform(.latency(.zero))
        conditions.perform(.error(.status(503)))
        conditions.perform(.error(.connectionLost))
        #expect(answer(conditions).1 as? ServerConditions.Fault == .status(503))
        #expect(answer(conditions).1 as? ServerConditions.Fault == .connectionLost)
        let last = answer(conditions)
        #expect(last.0 == .zero && last.1 == nil)
        conditions.perform(.latency(nil))
        #expect(answer(conditions).0 == ServerConditions.longLatency)
        conditions.perform(.latency(nil))
        #expect(answer(conditions).0 == ServerConditions.latency)
    }

    @Test func `a command is parsed, or its mistake is described`() throws {
        for (words, command) in [
            ("l 5", .latency(.milliseconds(5))), ("latency", .latency(nil)), ("d", .delay(.seconds(3))),
            ("delay 0", .delay(.zero)), ("e", .error(.connectionLost)), ("error 404", .error(.status(404))),
            ("x", nil), ("d 1 2", nil), ("", nil),
        ] as [(String, ServerCommand?)] {
            #expect(try ServerCommand(words.split(separator: " ").map(String.init)) == command)
        }
        for argument in ["-1", "x", "600001"] {
            let error = #expect(throws: ServerCommand.Mistake.self) { try ServerCommand(["delay", argument]) }
            #expect(error?.reason == "delay needs milliseconds from 0 to 600000, as in delay 500")
        }
        for argument in ["399", "600", "x"] {
            let error = #expect(throws: ServerCommand.Mistake.self) { try ServerCommand(["e", argument]) }
            #expect(error?.reason == "e needs a status from 400 to 599, as in e 503, or nothing")
        }
    }

    @Test func `posts are numbered, and a request that fails or is cancelled changes nothing`() throws {
        let conditions = conditions()
        let api = PostsMemory(posts: [Post(id: 4, title: "A")], conditions: conditions).api
        conditions.perform(.latency(.zero))
        conditions.perform(.error(.connectionLost))
        #expect(throws: PostsError.self) { try time.run { try await api.delete(4) } }
        conditions.perform(.error(.status(404)))
        #expect(throws: PostsError.noSuchPost(id: 4)) { try time.run { try await api.delete(4) } }
        conditions.perform(.error(.status(404)))
        #expect(throws: PostsError.status(404)) { try time.run { try await api.list() } }
        conditions.perform(.latency(.seconds(1)))
        let deletion = time.start { try await api.delete(4) }
        time.drain()
        deletion.cancel()
        time.advance(by: .seconds(2))
        conditions.perform(.latency(.zero))
        let posts = try time.run {
            _ = try await api.create(Draft(title: "B", body: "b"))
            try await api.delete(4)
            return try await api.list()
        }
        #expect(posts == [Post(id: 5, title: "B", body: "b")])
        #expect(throws: PostsError.noSuchPost(id: 4)) { try time.run { _ = try await api.show(4) } }
    }

    @Test func `users in memory are found, or are missing`() throws {
        let conditions = conditions()
        let memory = UserMemory(conditions: conditions)
        conditions.perform(.latency(.zero))
        let list = try time.run { try await UserList.fetched(["eve", "ada"], by: memory.name(of:)) }
        #expect("\(list)" == #"Ada Lovelace, failed: There is no user "eve"."#)
        conditions.perform(.error(.status(404)))
        #expect(throws: UserError.unknown(id: "ada")) { try time.run { _ = try await memory.name(of: "ada") } }
        conditions.perform(.error(.connectionLost))
        let lost = try time.run { try await UserList.fetched(["ada", "grace"], by: memory.name(of:)) }
        #expect(lost == UserList(failures: ["The server closed the connection without sending anything."]))
    }
}
