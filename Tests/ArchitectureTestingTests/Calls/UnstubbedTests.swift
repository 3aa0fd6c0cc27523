import ArchitectureTesting
import TestSupport
import Testing
import VirtualTime

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

    private func text(_ call: String, _ name: String) -> String {
        """
        \(call) was called, but \(name) is unstubbed.
        To fix, create the function with stub("\(name)") { … }, or do not call it.
        """
    }

    @Test("A call of an unstubbed function records an issue where that was created, and throws or returns a value")
    func calling() {
        let line = #line + 1
        let delete: @Sendable (Int) throws -> Void = calls.unstubbed("delete")
        let count: @Sendable () -> Int = calls.unstubbed("count", returning: 7)
        on {
            let error = #expect(throws: Unstubbed.self) { try delete(3) }
            #expect(error?.call.number == 1)
        }
        .are(text("delete(3)", "delete"), at: line)
        on { #expect(count() == 7) }.are(text("count()", "count"), at: line + 1)
    }

    @Test("Unstubbed functions that are not called record no issue")
    func notCalled() {
        withExtendedLifetime(api()) { calls.expectNoCalls() }
    }

    @Test("A call of an unstubbed function is recorded, and need not be expected, but may be")
    func expectations() {
        let api = api()
        let issues = reported {
            #expect(api.count() == 7)
            try? api.delete(3)
        }
        #expect(issues.count == 2)
        #expect(calls.all.map(\.description) == ["count()", "delete(3)"])
        calls.record("load", 5)
        calls.expectCall("load", 5)
        calls.expectNoCalls()
        calls.expectCall("delete", 3)
        calls.expectCall("count")
        #expect(reported { calls.expectCall("count") }.count == 1)
    }

    @Test("An attached driver takes the calls, and no issue is recorded")
    @MainActor func driver() async {
        calls.attach(as: 1, on: ManualExecutor())
        let api = api()
        await #expect(throws: Unstubbed.self) { try await api.load(5) }
        await api.log("a")
        #expect(api.render(1) == "a")
        let taken = calls.takeUnstubbedCalls()
        #expect(taken.map(\.call.description) == ["load(5)", #"log("a")"#, "render(1)"])
        #expect(taken.first?.failure.hasPrefix("load(5) was called, but load is unstubbed.") == true)
        #expect(calls.takeUnstubbedCalls().isEmpty)
        calls.detach(1)
        #expect(reported { _ = api.count() }.count == 1)
        #expect(calls.takeUnstubbedCalls().isEmpty)
    }

    @Test("A recorder has a driver until each of its drivers is detached")
    func twoDrivers() {
        let api = api()
        calls.attach(as: 1, on: ManualExecutor())
        calls.attach(as: 2, on: ManualExecutor())
        calls.detach(2)
        #expect(api.count() == 7)
        #expect(calls.takeUnstubbedCalls().count == 1)
        calls.detach(1)
    }

    @Test("Calls that no driver has taken are reported when the recorder is deallocated")
    func leftovers() {
        let line = #line + 4
        let issues = on {
            let calls = Recorder()
            calls.attach(as: 1, on: ManualExecutor())
            let count: @Sendable () -> Int = calls.unstubbed("count", returning: 7)
            #expect(count() == 7)
            calls.detach(1)
        }
        issues.are(text("count()", "count"), at: line)
    }
}
