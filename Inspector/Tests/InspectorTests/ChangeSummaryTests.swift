import Foundation
import FunctionalCore
import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct ChangeSummaryTests {
    /// The summary of changes: a path, the value before and the value after, each as JSON or empty.
    private func summary(_ changes: (path: String, from: String, to: String)...) throws -> String {
        let json = changes.map { changeJSON($0.path, from: $0.from, to: $0.to) }.joined(separator: ",")
        return ChangeSummary(try JSONDecoder().decode([ValueChange].self, from: Data("[\(json)]".utf8))).text
    }

    @Test func aChangeBeginsWithItsPath() throws {
        #expect(try summary((#"["page"]"#, #""1""#, #""3""#)) == "page: 1 → 3")
        #expect(
            try summary((#"["results",0,"name"]"#, #""\"swift-nio\"""#, #""\"swallow\"""#))
                == #"results[0].name: "swift-nio" → "swallow""#)
        #expect(try summary((#"["episodes","12","a"]"#, #""2""#, #""3""#)) == "episodes[12].a: 2 → 3")
        #expect(try summary((#"["m","\"a, b\"","größe_2"]"#, #""1""#, #""2""#)) == #"m["a, b"].größe_2: 1 → 2"#)
        #expect(try summary(("[]", #""1""#, #""2""#)) == "1 → 2")
        #expect(try summary() == "")
    }

    @Test func whatIsAddedOrRemovedIsNamed() throws {
        let order = #"{"type":"Order","parts":[["number","1002"]]}"#
        #expect(try summary((#"["orders",1]"#, "", order)) == "orders: + Order(number: 1002)")
        #expect(try summary((#"["orders",1]"#, #""7""#, "")) == "orders: − 7")
        #expect(try summary((#"["set","\"c\""]"#, "", #""\"c\"""#)) == #"set: + "c""#)
        #expect(try summary((#"["counts","\"a\""]"#, #""3""#, "")) == #"counts["a"]: − 3"#)
        #expect(try summary(("[0]", "", #""9""#)) == "+ 9")
    }

    @Test func valuesAreTextsOfTheTrace() throws {
        let loading = #"{"case":"loading","parts":[["percent","20"]]}"#
        #expect(try summary((#"["status"]"#, loading, #"".idle""#)) == "status: .loading(percent: 20) → .idle")
        #expect(try summary((#"["path"]"#, #""/etc/Foo.conf""#, #""a → b""#)) == "path: /etc/Foo.conf → a → b")
        let family = String(repeating: "👩‍👩‍👧", count: 61)
        #expect(try summary((#"["a"]"#, #""1""#, "\"\(family)\"")) == "a: 1 → \(family.dropLast())…")
        let name = String(repeating: "x", count: 81)
        #expect(try summary(("[\"\(name)\"]", #""1""#, #""2""#)) == "\(name.dropLast())…: 1 → 2")
    }

    @Test func theFirstChangeOfEachFieldComesFirst() throws {
        let changes = [#"["a","x"]"#, #"["a","y"]"#, #"["a","z"]"#, #"["b"]"#, #"["c"]"#, #"["d"]"#]
        let json = changes.map { changeJSON($0, from: #""1""#, to: #""2""#) }.joined(separator: ",")
        let decoded = try JSONDecoder().decode([ValueChange].self, from: Data("[\(json)]".utf8))
        #expect(ChangeSummary(decoded).text == "a.x: 1 → 2, b: 1 → 2, c: 1 → 2, d: 1 → 2, … and 2 more")
    }
}
