import ArchitectureTesting
import Testing

/// The exact messages of expected calls.
@Suite(.timeLimit(.minutes(10))) struct ExpectCallTests {
    private let calls = Recorder()

    private func failure<each Argument: Equatable & Sendable>(
        _ name: String, _ arguments: repeat each Argument
    ) -> String? {
        calls.expect(ExpectedCall(name, repeat each arguments)).failure?
            .replacing("ArchitectureTestingTests.", with: "")
    }

    private var left: [String] { calls.all.filter(\.isLeft).map(\.description) }

    @Test("Calls that are expected in order are no failures, and are then not left")
    func passes() {
        calls.record("load", 5)
        calls.record("delete", 3)
        #expect(failure("load", 5) == nil)
        #expect(left == ["delete(3)"])
        #expect(failure("delete", 3) == nil)
        #expect(left == [])
        #expect(calls.all.map(\.isExpected) == [true, true])
    }

    @Test("Optional arguments equal values without optional, and values of other types are different")
    func types() {
        calls.record("load", Optional(5))
        calls.record("load", 5)
        calls.record("load", Int?.none)
        calls.record("load", "")
        #expect(failure("load", 5) == nil)
        #expect(failure("load", Optional(5)) == nil)
        #expect(failure("load", Int?.none) == nil)
        #expect(failure("load") != nil)
    }

    @Test("Without calls, the message says so")
    func noCalls() {
        let text = """
            load(5) was expected, but no function was called.
            To fix, let the code under test make the call before the expectation, or remove the expectation.
            """
        #expect(failure("load", 5) == text)
        _ = calls.stub("load") { (id: Int) in id }
        #expect(failure("load", 5) == text)
    }

    @Test("If an equal call was expected before, the message names it")
    func expectedBefore() {
        calls.record("delete", 3)
        calls.record("load", 5)
        #expect(failure("delete", 3) == nil)
        #expect(failure("load", 5) == nil)
        #expect(
            failure("load", 5) == """
                load(5) was expected, but no call is left.
                The call load(5), number 2, was already expected.
                To fix, let the code under test make the call before the expectation, or remove the expectation.
                """)
        calls.record("count")
        #expect(
            failure("load", 5) == """
                load(5) was expected, but the next call is count().
                The call load(5), number 2, was already expected.
                To fix, expectCall("count"), or let the code under test make the expected call before it.
                """)
    }

    @Test("If the next call has the same name, the message shows the difference of the calls")
    func otherArguments() {
        calls.record("load", 6)
        calls.record("delete", 3)
        #expect(
            failure("load", 5) == """
                load was called with other arguments (− expected, + got)
                − load(5)
                + load(6)
                To fix, expectCall("load", 6), or correct the call.
                """)
        #expect(left == ["delete(3)"])
    }

    @Test("Long arguments are compared line by line")
    func longArguments() {
        calls.record("save", Post(id: 6, title: "A title that is longer than the others"), true)
        #expect(
            failure("save", Post(id: 5, title: "A title that is longer than the others"), true) == """
                save was called with other arguments (− expected, + got)
                  ▿ Post
                −   - id: 5
                +   - id: 6
                    - title: "A title that is longer than the others"
                  - true
                To fix, expectCall("save", Post(id: 6, title: "A title that is longer than the others"), true), \
                or correct the call.
                """)
    }

    @Test("Arguments that look alike are distinguished by their types")
    func otherTypes() {
        calls.record("load", Int64(5), "a")
        #expect(
            failure("load", 5, "a") == """
                load was called with other arguments (− expected, + got)
                  - 5
                  - "a"
                  They are not equal, and look alike.
                  The type of argument 1 differs: Int was expected, it is Int64.
                To fix, expectCall("load", Int64(5), "a"), or correct the call.
                """)
    }

    @Test("An empty value is not equal to one of another type")
    func emptyValuesOfOtherTypes() {
        for argument in [[Int](), Int?.none, Set<Int>(), [Int: Int]()] as [any Sendable] {
            calls.record("load", argument)
        }
        #expect(failure("load", [String]())?.contains("Array<String> was expected, it is Array<Int>.") == true)
        #expect(failure("load", String?.none)?.contains("Optional<String> was expected, it is Optional<Int>.") == true)
        #expect(failure("load", Set<String>())?.contains("Set<String> was expected, it is Set<Int>.") == true)
        #expect(failure("load", [String: Int]())?.contains("Dictionary<String, Int> was expected") == true)
    }

    @Test("If the expected call comes later, the message names the calls before it, which are left")
    func later() {
        for id in 1...11 { calls.record("delete", id) }
        calls.record("load", 5)
        #expect(
            failure("load", 5) == """
                load(5) was expected, but 11 calls come before it: delete(1), delete(2), delete(3), delete(4), delete(5), \
                delete(6), delete(7), delete(8), delete(9), delete(10), and 1 more
                To fix, write before it: expectCall("delete", 1), expectCall("delete", 2), expectCall("delete", 3), \
                expectCall("delete", 4), expectCall("delete", 5), expectCall("delete", 6), expectCall("delete", 7), \
                expectCall("delete", 8), expectCall("delete", 9), expectCall("delete", 10), and 1 more.
                """)
        #expect(left == (1...11).map { "delete(\($0))" })
        #expect(
            failure("delete", 2) == """
                delete(2) was expected, but 1 call comes before it: delete(1)
                To fix, write before it: expectCall("delete", 1).
                """)
    }

    @Test("If the next call has another name, the message shows a later call of the expected name")
    func otherName() {
        calls.record("delete", "3")
        calls.record("load", 6)
        #expect(
            failure("load", 5) == """
                load(5) was expected, but the next call is delete("3").
                load is called later, with other arguments (− expected, + got)
                − load(5)
                + load(6)
                To fix, expectCall("delete", "3"), or let the code under test make the expected call before it.
                """)
        #expect(left == [#"delete("3")"#, "load(6)"])
    }

    @Test("A name that no function has is reported with the names of the functions")
    func wrongName() {
        _ = calls.stub("load") { (id: Int) in id }
        _ = calls.unstubbed("delete", returning: 0) as @Sendable () -> Int
        calls.record("count")
        #expect(
            failure("laod", 5) == """
                laod(5) was expected, but no function of this name was stubbed or called.
                To fix, use one of the names "load", "delete", "count", or let the code under test make the call.
                """)
        #expect(left == ["count()"])
    }

    @Test("Calls are expected by name if an argument is not Equatable")
    func closures() {
        let callback: @Sendable (Int) -> Void = { _ in }
        calls.record("delete", 3)
        calls.record("watch", "a", callback)
        #expect(
            calls.expect(ExpectedCall(named: "watch")).failure == """
                watch(…) was expected, but 1 call comes before it: delete(3)
                To fix, write before it: expectCall("delete", 3).
                """)
        calls.expectCall("delete", 3)
        calls.record("watch", "b", callback)
        #expect(
            failure("watch", "b") == """
                watch was called with other arguments (− expected, + got)
                − watch("b")
                + watch("b", { … })
                To fix, expectCall(named: "watch"), or correct the call.
                """)
    }

    @Test("Out of order, a later call may be expected, and the calls before it are left")
    func anyOrder() {
        calls.record("delete", 3)
        calls.record("load", 5)
        let result = calls.expect(ExpectedCall("load", 5), inOrder: false)
        #expect(result.failure == nil)
        #expect(result.call?.number == 2)
        #expect(left == ["delete(3)"])
    }

    @Test("Calls that are left are listed with what expects them")
    func leftCalls() {
        #expect(Recorder.failure(leaving: []) == nil)
        calls.record("load", 5)
        #expect(
            Recorder.failure(leaving: calls.all) == """
                1 call was not expected: load(5)
                To fix, expectCall("load", 5).
                """)
        calls.record("rename", 3, "a \"b\"")
        #expect(
            Recorder.failure(leaving: calls.all, or: "relax .calls") == """
                2 calls were not expected: load(5), rename(3, "a \\"b\\"")
                To fix, expectCall("load", 5), expectCall("rename", 3, "a \\"b\\""), or relax .calls.
                """)
    }

    @Test("Failures are recorded as issues at the line of the expectation, which returns the call that it takes")
    func issues() {
        calls.record("load", 5)
        on { #expect(calls.expectCall("load", 6)?.number == 1) }.are(
            """
            load was called with other arguments (− expected, + got)
            − load(6)
            + load(5)
            To fix, expectCall("load", 5), or correct the call.
            """)
        on { #expect(calls.expectCall(named: "load") == nil) }.are(
            """
            load(…) was expected, but no call is left.
            The call load(5), number 1, was already expected.
            To fix, let the code under test make the call before the expectation, or remove the expectation.
            """)
        calls.record("load", 7)
        on { calls.expectNoCalls() }.are("1 call was not expected: load(7)\nTo fix, expectCall(\"load\", 7).")
        #expect(reported { calls.expectNoCalls() }.count == 1)
        #expect(calls.expectCall("load", 7)?.number == 2)
        calls.expectNoCalls()
    }
}
