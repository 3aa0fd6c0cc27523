import ArchitectureTracing
import FunctionalCore
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct TextTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Texts that look like the names, the values, the places and the markup that a page might change.
    private static let texts = [
        "cannot read README.md", "/etc/Foo.conf", "https://api.example.Com/v1", "App.Status.done",
        "save(App.Library(a: 1))",
        "request of App/Posts.swift:12", "Sources/App/Posts.swift:12", "Optional(x)", "- ▿ a", "a\nb\t\"c\\", " ",
        "👩‍👩‍👧 e\u{301} \u{202E}", "</script><!--", "[1: a, 2: b]", "\u{0}",
    ]

    /// The texts of an event: the properties with them, and what the row of the event shows of them.
    private static let fields: [(kind: String, properties: [String], row: @Sendable (String) -> String)] = [
        ("received", ["message"], { $0 }), ("dropped", ["message"], { $0 }), ("started", ["subject"], { $0 }),
        ("decided", ["subject"], { $0 }), ("failed", ["error"], { $0 }),
        ("recovered", ["error", "recovery"], { "\($0) became \($0)" }),
    ]

    @Test(arguments: texts) func aTextIsNotAltered(text: String) throws {
        for field in Self.fields {
            let properties = try field.properties.map { try "\"\($0)\":\(quoted(text))" }.joined(separator: ",")
            let page = try ReadPage(TracePage(scratch.trace(line(1, field.kind, properties))).data)
            #expect(page.rows[0][9] as? String == field.row(text), "\(field.kind)")
        }
        let other = try quoted(text)
        let page = try ReadPage(
            TracePage(
                scratch.trace(
                    line(1, "created", "\"state\":\(other)") + change(2, from: other, to: #""new""#)
                        + line(3, "endlessChain", "\"messages\":[\(other)]"))
            ).data)
        #expect(page.states[1] == text)
        #expect(page.rows[1][9] as? String == "\(text) → new")
        #expect(page.rows[2][9] as? [String] == [text])
    }

    @Test(arguments: TraceEvent.DropReason.allCases) func aDropHasAReason(reason: TraceEvent.DropReason) throws {
        let page = try ReadPage(
            TracePage(
                scratch.trace(
                    line(1, "dropped", #""message":"load(5)","reason":"\#(reason)""#) + line(2, "dropped")
                        + line(3, "dropped", #""reason":"unknown""#))
            ).data)
        let number = try #require(RowFormat.reasons.firstIndex(of: reason.rawValue)) + 1
        #expect(page.rows.map { $0[7] as? Int } == [number, 0, 0])
    }

    @Test func thePageContainsTheFormatOfItsRows() throws {
        let page = try ReadPage(TracePage(scratch.trace(line(1, "created"))).data)
        #expect(page.html.contains(RowFormat.script))
        #expect(Set(TraceRecord.Kind.allCases.map { RowFormat.number(of: $0) }).count == RowFormat.kinds.count - 1)
        #expect(RowFormat.decisions == ["starts", "waits", "delayed", "dropped", "replaced"])
    }
}
