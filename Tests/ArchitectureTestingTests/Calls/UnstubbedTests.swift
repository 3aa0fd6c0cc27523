import ArchitectureTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnstubbedTests {
    private struct API: Sendable {
        var delete: @Sendable (Int) throws -> Void
        var load: @Sendable (Int) async throws -> String
        var count: @Sendable () -> Int
        var log: @Sendable (String) async -> Void
        var render: @MainActor @Sendable (Int) -> String
    }

    private let calls = Recorder()

    private func api() -> API {
        API(
            delete: calls.unstubbed("delete"), load: calls.unstubbed("load"),
            count: calls.unstubbed("count", returning: 7), log: calls.unstubbed("log", returning: ()),
            render: calls.unstubbed("render", returning: "a"))
    }

    @Test("A call of an unstubbed function records an issue where the function was created, and throws")
    func throwing() {
        let line = #line + 1
        let delete: @Sendable (Int) throws -> Void = calls.unstubbed("delete")
        let (texts, lines) = issues {
            let error = #expect(throws: Unstubbed.self) { try delete(3) }
            #expect(error?.call.number == 1)
        }
        #expect(
            texts == [
                """
                delete(3) was called, but delete is unstubbed.
                To fix, create the function with stub("delete") { … }, or do not call it.
                """
            ])
        #expect(lines == [line])
    }

    @Test("A call of an unstubbed function that does not throw records an issue, and returns a value")
    func returning() {
        let line = #line + 1
        let count: @Sendable () -> Int = calls.unstubbed("count", returning: 7)
        let (texts, lines) = issues { #expect(count() == 7) }
        #expect(texts.map { $0.split(separator: "\n").first } == ["count() was called, but count is unstubbed."])
        #expect(lines == [line])
    }

    @Test("Unstubbed functions that are not called record no issue")
    func notCalled() {
        withExtendedLifetime(api()) { calls.expectNoCalls() }
    }

    @Test("A call of an unstubbed function is recorded, and need not be expected, but may be")
    func expectations() {
        let api = api()
        let (texts, _) = issues {
            #expect(api.count() == 7)
            try? api.delete(3)
        }
        #expect(texts.count == 2)
        #expect(calls.all.map(\.description) == ["count()", "delete(3)"])
        calls.record("load", 5)
        calls.expectCall("load", 5)
        calls.expectNoCalls()
        calls.expectCall("delete", 3)
        calls.expectCall("count")
        let (others, _) = issues { calls.expectCall("count") }
        #expect(others.count == 1)
    }

    @Test("An attached driver takes the calls, and no issue is recorded")
    @MainActor func driver() async {
        calls.attach(as: 1)
        let api = api()
        await #expect(throws: Unstubbed.self) { try await api.load(5) }
        await api.log("a")
        #expect(api.render(1) == "a")
        let taken = calls.takeUnstubbedCalls()
        #expect(taken.map(\.call.description) == ["load(5)", #"log("a")"#, "render(1)"])
        #expect(taken.first?.failure.hasPrefix("load(5) was called, but load is unstubbed.") == true)
        #expect(calls.takeUnstubbedCalls().isEmpty)
        calls.detach()
        let (texts, _) = issues { #expect(api.count() == 7) }
        #expect(texts.count == 1)
        #expect(calls.takeUnstubbedCalls().isEmpty)
    }

    @Test("A recorder has a driver until each of its drivers is detached")
    func twoDrivers() {
        let api = api()
        calls.attach(as: 1)
        calls.attach(as: 1)
        calls.detach()
        #expect(api.count() == 7)
        #expect(calls.takeUnstubbedCalls().count == 1)
        calls.detach()
    }

    @Test("Calls that no driver has taken are reported when the recorder is deallocated")
    func leftovers() {
        let line = #line + 4
        let (texts, lines) = issues {
            let calls = Recorder()
            calls.attach(as: 1)
            let count: @Sendable () -> Int = calls.unstubbed("count", returning: 7)
            #expect(count() == 7)
            calls.detach()
        }
        #expect(texts.count == 1)
        #expect(lines == [line])
    }
}
