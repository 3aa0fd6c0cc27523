import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import Testing

@testable import InspectorKit

private struct Feed: Sendable {
    var posts: [String] = []
    var note = "<b>\"é\" 👩‍👩‍👧 \u{0} \u{2028}</script>"
}

@Suite(.timeLimit(.minutes(10))) struct PageTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aPageContainsTheEventsAndTheStatesOfATrace() throws {
        let events = TraceBuffer()
        let dispatcher = StateDispatcher<Void, Feed, Int>.workflow { id in
            [.pure(.update { $0.posts = (0..<(id % 7)).map { "post \($0 * id)" } })]
        }
        let component = Component(
            initialState: Feed(), environment: (), trace: Trace(to: events), dispatcher: dispatcher)
        for id in 1...40 { component.send(id) }
        let lines = JSONLines(events.all)
        let page = try ReadPage(TracePage(scratch.trace(lines.text)).data)
        #expect(page.ids == lines.records.map(\.id))
        let states = lines.records.compactMap { record in (record.to ?? record.state).map { (record.id, $0) } }
        #expect(states.count > 30)
        #expect(page.states == Dictionary(uniqueKeysWithValues: states))
        #expect(page.notes == [])
        #expect(page.meta["title"] as? String == "trace.jsonl")
    }

    @Test func statesAreRebuiltFromTheirChanges() throws {
        var random = SystemRandomNumberGenerator()
        let parts = [
            "a", "é", "e\u{301}", "👩‍👩‍👧", "\u{1F1E9}\u{1F1EA}", "𝕊", "<", "\"", "\\", "\n", "\u{1}", "0123456789",
        ]
        var state = (0..<400).map { _ in parts.randomElement(using: &random)! }
        var (text, expected) = ("", [Int: String]())
        for id in 1...1_500 {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<state.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: state[place] = parts.randomElement(using: &random)!
                case 1: state.insert(parts.randomElement(using: &random)!, at: place)
                default: if state.count > 1 { state.remove(at: place) }
                }
            }
            let whole = state.joined()
            expected[id] = whole
            text += line(id, id == 1 ? "created" : "changed", "\"\(id == 1 ? "state" : "to")\":\(try quoted(whole))")
        }
        let data = try TracePage(scratch.trace(text)).data
        let page = try ReadPage(data)
        #expect(page.states == expected)
        #expect(data.count < text.utf8.count)
    }

    /// The page numbers such decisions, because the trace does not say which of the policies has decided.
    @Test func decisionsOfNestedPoliciesHaveOneCauseAndOneSubject() async throws {
        let events = TraceBuffer()
        let dispatcher = StateDispatcher<Void, Feed, Int>.effectful { _ in
            EnvIO { () async throws in .update { $0.posts.append("post") } }
        }
        let component = Component(
            initialState: Feed(), environment: (), trace: Trace(to: events),
            dispatcher: dispatcher.policy(.queued).policy(.latest))
        await component.send(5).finish()
        let page = try ReadPage(TracePage(scratch.trace(JSONLines(events.all).text)).data)
        let decisions = page.rows.filter { $0[6] as? Int == RowFormat.number(of: .decided) }
        #expect(decisions.map { $0[1] as? Int } == [2, 2])
        #expect(decisions.map { $0[9] as? String } == ["5", "5"])
        #expect(decisions.map { RowFormat.decisions[($0[7] as? Int ?? 0) - 1] } == ["starts", "starts"])
    }

    @Test func aRowSaysWhatAChangeHasChanged() throws {
        let text =
            line(1, "created", #""state":"S(a: 1)""#)
            + line(2, "changed", #""from":"S(a: 1)","to":"S(a: 2)","difference":["- a: 1","+ a: 2"]"#)
            + line(3, "changed", #""from":"S(a: 2)","to":"S(a: 2)","difference":[]"#) + line(4, "changed")
        let rows = try ReadPage(TracePage(scratch.trace(text)).data).rows
        #expect(rows[1][9] as? String == "a: 1 → 2")
        // An empty difference is that of an equal state. Without states, nothing is known.
        #expect(rows[2].count == 11 && (rows[2][10] as? [Any])?.isEmpty == true)
        #expect(rows[3].count == 9)
    }

    @Test func aStateAfterAGapIsWhole() throws {
        let long = String(repeating: "x", count: 500)
        let text =
            line(1, "created", "\"state\":\"\(long)1\"") + line(2, "gap", "\"missingEvents\":1")
            + line(3, "changed", "\"from\":\"other\",\"to\":\"\(long)2\"")
        let page = try ReadPage(TracePage(scratch.trace(text)).data)
        #expect(page.html.contains("[2,\"\(long)2\"]"))
    }

    @Test func markupInATraceIsEscaped() throws {
        let evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"
        let text =
            line(1, "created", "\"state\":\(try quoted(evil))")
            + line(2, "received", "\"message\":\(try quoted(evil)),\"source\":\"caller\"")
            + line(3, "failed", "\"error\":\(try quoted(evil))")
            + line(4, "changed", "\"to\":\(try quoted(evil + "2")),\"difference\":[\(try quoted("+ " + evil))]")
            + line(5, "novelty", "\"message\":\(try quoted(evil))")
            + line(6, "received").replacing("Feed", with: evil)
        let file = try TraceFile(scratch.file("<b>.jsonl", text))
        let page = try ReadPage(TracePage(file).data)
        #expect(page.rows.count == 6)
        #expect(page.rows[1][9] as? String == evil)
        #expect(page.states[4] == evil + "2")
        #expect(!page.html.contains("alert(1)</script>"))
        #expect(!page.html.contains("<img"))
        #expect(!page.html.contains("<b>.jsonl"))
        #expect(page.meta["title"] as? String == "<b>.jsonl")
    }

    @Test func stringsAreEscapedAsInJavaScript() throws {
        var bytes: [UInt8] = []
        bytes.appendJSON("\"\\\u{8}\u{C}\n\r\t\u{1}\u{1F}<é𝕊\u{7F}/")
        #expect(String(decoding: bytes, as: UTF8.self) == #""\"\\\b\f\n\r\t\u0001\u001f\u003cé𝕊"# + "\u{7F}/\"")
    }

    @Test func onlyThePagesOwnScriptMayRun() throws {
        let page = try ReadPage(TracePage(scratch.trace(line(1, "created"))).data)
        let nonces = page.html.matches(of: /<(?:script|style) nonce="(.*?)"/).map { String($0.1) }
        #expect(nonces.count == 2)
        #expect(Set(nonces).count == 1)
        let policy = try #require(page.html.firstMatch(of: /Content-Security-Policy" content="(.*?)"/)).1
        #expect(policy.contains("default-src 'none'; script-src 'nonce-\(nonces[0])'; style-src 'nonce-\(nonces[0])'"))
        #expect(policy.contains("connect-src 'none'"))
        #expect(!page.html.contains("<script src=") && !page.html.contains("<link rel=\"stylesheet\""))
        let other = try ReadPage(TracePage(scratch.trace(line(1, "created"))).data)
        #expect(!other.html.contains(nonces[0]))
    }

    @Test func aChunkEndsAfterAThousandRows() throws {
        let text = (1...2_500).map { line($0, "received", "\"message\":\"m\"") }.joined()
        let page = try ReadPage(TracePage(scratch.trace(text)).data)
        #expect(ReadPage.elements(of: page.html, "data-rows=\"\\d+\"").count == 3)
        #expect(page.ids == Array(1...2_500))
    }
}
