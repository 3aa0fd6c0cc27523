// The code about calls of an environment, on the page on ArchitectureTesting and in the comments of `Recorder`.

import ArchitectureTesting
import TestSupport
import Testing

private struct PostAPI: Sendable {
    var load: @Sendable (Int) async throws -> String
    var delete: @Sendable (Int) async throws -> Void
    var count: @Sendable () -> Int
}

private func headline(_ id: Int, _ api: PostAPI) async throws -> String {
    try await api.load(id).uppercased()
}

private struct PostError: Error {}

private protocol PostService: Sendable {
    func load(_ id: Int) async throws(PostError) -> String
}

private struct RecordedService: PostService {
    let calls: Recorder

    func load(_ id: Int) async throws(PostError) -> String {
        calls.record("load", id)
        return "post \(id)"
    }
}

@Suite("Recorded calls on the page on ArchitectureTesting", .timeLimit(.minutes(10)))
struct RecorderExampleTests {
    @Test func aPostIsLoadedOnce() async throws {
        let calls = Recorder()
        let api = PostAPI(
            load: calls.stub("load") { id in "post \(id)" },
            delete: calls.unstubbed("delete"),
            count: calls.unstubbed("count", returning: 0))
        #expect(try await headline(5, api) == "POST 5")
        calls.expectCall("load", 5)
        calls.expectNoCalls()
    }

    @Test func aServiceIsRecorded() async throws {
        let calls = Recorder()
        let service = RecordedService(calls: calls)
        #expect(try await service.load(5) == "post 5")
        calls.expectCall("load", 5)
    }

    @Test func aCallbackIsExpected() {
        let calls = Recorder()
        let seen = Record<Int>()
        let watch: @Sendable (@escaping @Sendable (Int) -> Void) -> Void = calls.stub("watch") { _ in }
        watch { seen.append($0) }
        let call = calls.expectCall(named: "watch")
        let callback = call?.arguments.first as? @Sendable (Int) -> Void
        callback?(3)
        #expect(seen.values == [3])
    }

    @Test func theMessageOnThePage() {
        let calls = Recorder()
        calls.record("count")
        calls.record("load", 5)
        withKnownIssue {
            calls.expectCall("load", 5)
        } matching: { issue in
            issue.comments.first?.rawValue == """
                load(5) was expected, but 1 call comes before it: count()
                To fix, write before it: expectCall("count").
                """
        }
    }
}
