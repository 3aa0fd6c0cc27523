import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import Testing

@testable import InspectorKit

private struct Feed: Sendable {
    var posts: [String] = []
    var note = "<b>é 👩‍👩‍👧 \u{2028}</script>"

    /// The text of the state, without what the library does.
    var text: String { "Feed(posts: [\(posts.map { "\"\($0)\"" }.joined(separator: ", "))], note: \"\(note)\")" }
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
        let states = events.all.compactMap { event -> (Int, String)? in
            switch event.kind {
            case .created(let state?), .changed(_, let state?, _): (event.id, (state.value as! Feed).text)
            default: nil
            }
        }
        #expect(states.count > 30)
        #expect(page.states == Dictionary(uniqueKeysWithValues: states))
        #expect(page.notes == [])
        #expect(page.meta["title"] as? String == "trace.jsonl")
    }

    /// A state is whole at first, after 1,000 changes, and if the changes since the last whole state are longer than it.
    @Test func statesAreRebuiltFromTheirChanges() throws {
        let rest = "\"\(String(repeating: "x", count: 60_000))\""
        let created = line(1, "created", "\"state\":{\"elements\":[\"1\",\(rest)]}")
        let text = (2...2_500).reduce(into: created) { $0 += change($1, "[0]", from: "\"\($1 - 1)\"", to: "\"\($1)\"") }
        let page = try ReadPage(TracePage(scratch.trace(text)).data)
        #expect(page.trees.count == 2_500 && page.wholeStates == 3)
        for (id, tree) in page.trees { #expect(tree.parts[0].value.name == "\(id)") }
        let long = String(repeating: "x", count: 3_000)
        let changes = (2...9).map { change($0, from: "\"\(long)\($0 - 1)\"", to: "\"\(long)\($0)\"") }
        let small = try ReadPage(
            TracePage(scratch.trace(line(1, "created", "\"state\":\"\(long)1\"") + changes.joined())).data)
        #expect(small.states == Dictionary(uniqueKeysWithValues: (1...9).map { ($0, "\(long)\($0)") }))
        #expect(small.wholeStates == 9)
    }

    /// The row has only the first changes, and the state follows from all of them.
    @Test func ofManyChangesTheRowHasTheFirst() throws {
        let numbers = (0..<9_000).map { "\"\($0)\"" }.joined(separator: ",")
        let changes = (0..<2_000).map { changeJSON("[\($0)]", from: "\"\($0)\"", to: #""x""#) }
        let text =
            line(1, "created", "\"state\":{\"elements\":[\(numbers)]}")
            + line(2, "changed", "\"changes\":[\(changes.joined(separator: ","))]")
        let page = try ReadPage(TracePage(scratch.trace(text)).data)
        #expect(page.trees[2]?.parts.count { $0.value.name == "x" } == 2_000)
        #expect(page.wholeStates == 1)
        let shown = try #require(page.rows[1][10] as? [Any])
        #expect(shown.last as? Int == 2_000 - (shown.count - 1) && shown.count > 100)
        #expect(page.notes == ["A long text is cut."])
    }

    @Test func theStateAfterAChangeOfAnUnknownStateIsUnknown() throws {
        let set = { change($0, #"["a"]"#, from: #""1""#, to: "\"\($0)\"") }
        let state = #""state":{"type":"S","parts":[["a","1"]]}"#
        let text =
            set(1) + line(2, "created", state, owner: 2) + change(3, #"["b"]"#, from: #""1""#, to: #""2""#, owner: 2)
            + set(4)
            + line(5, "changed", state + #","changes":[]"#) + set(6) + line(7, "changed") + set(8)
            + change(9, #"["a"]"#, from: #""1""#, to: #""9""#, owner: 2)
        let page = try ReadPage(TracePage(scratch.trace(text)).data)
        #expect(page.states == [2: "S(a: 1)", 5: "S(a: 1)", 6: "S(a: 6)"])
        #expect(page.notes == ["6 states are unknown, because the trace does not have the state before."])
        #expect(page.rows[0][9] as? String == "a: 1 → 1")
    }

    @Test func aTraceWithoutSnapshotsHasNoUnknownStates() throws {
        let page = try ReadPage(TracePage(scratch.trace(line(1, "created") + line(2, "changed"))).data)
        #expect(page.states == [:] && page.notes == [])
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
            line(1, "created", #""state":{"type":"S","parts":[["a","1"]]}"#)
            + change(2, #"["a"]"#, from: #""1""#, to: #""2""#) + line(3, "changed", #""changes":[]"#)
            + line(4, "changed")
        let rows = try ReadPage(TracePage(scratch.trace(text)).data).rows
        #expect(rows[1][9] as? String == "a: 1 → 2")
        // Of an equal state, there are no changes. Without states, nothing is known.
        #expect(rows[2].count == 11 && (rows[2][10] as? [Any])?.isEmpty == true)
        #expect(rows[3].count == 9)
    }

    @Test func aStateAfterAGapIsThatOfTheTrace() throws {
        let text =
            line(1, "created", #""state":"1""#) + line(2, "gap", #""missingEvents":1"#)
            + line(3, "changed", #""state":"5","changes":[{"path":[],"from":"4","to":"5"}]"#)
        #expect(try ReadPage(TracePage(scratch.trace(text)).data).states == [1: "1", 3: "5"])
    }

    @Test func markupInATraceIsEscaped() throws {
        let evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>"
        let text =
            line(1, "created", "\"state\":\(try quoted(evil))")
            + line(2, "received", "\"message\":\(try quoted(evil)),\"source\":\"caller\"")
            + line(3, "failed", "\"error\":\(try quoted(evil))")
            + change(4, "[]", from: try quoted(evil), to: try quoted(evil + "2"))
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
