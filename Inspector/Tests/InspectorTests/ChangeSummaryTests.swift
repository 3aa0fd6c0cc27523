import Testing

@testable import InspectorKit

@Suite(.timeLimit(.minutes(10))) struct ChangeSummaryTests {
    private func summary(_ before: String, _ after: String) -> String { ChangeSummary(from: before, to: after).text }

    @Test func aChangeBeginsWithItsPath() {
        #expect(summary("Feed(page: 1, size: 2)", "Feed(page: 3, size: 2)") == "page: 1 → 3")
        #expect(
            summary(
                #"S(results: [App.Hit(name: "swift-nio", stars: 1), App.Hit(name: "x", stars: 2)])"#,
                #"S(results: [App.Hit(name: "swallow", stars: 1), App.Hit(name: "x", stars: 2)])"#)
                == #"results[0].name: "swift-nio" → "swallow""#)
        #expect(summary("A(b: 1, 2)", "A(b: 1, 3)") == "1: 2 → 3")
        #expect(summary("1", "2") == "1 → 2")
    }

    @Test func pairsOfADictionaryAreComparedByKey() {
        #expect(
            summary("L(episodes: [12: E(a: 1), 31: E(a: 2)])", "L(episodes: [31: E(a: 3), 12: E(a: 1)])")
                == "episodes[31].a: 2 → 3")
        #expect(summary(#"L(m: [:])"#, #"L(m: ["a, b": 1])"#) == #"m["a, b"]: + 1"#)
        #expect(summary("L(m: [1: 2, 3: 4])", "L(m: [3: 4])") == "m[1]: − 2")
        #expect(summary("L(m: [1: 2, 3: 4], n: 0)", "L(m: [3: 4, 1: 2], n: 0)") == "")
    }

    @Test func anElementThatIsAddedOrRemovedIsNamed() {
        #expect(summary("S(orders: [1, 2])", "S(orders: [1, 9, 2])") == "orders: + 9")
        #expect(summary("S(orders: [])", "S(orders: [7, 8, 9])") == "orders: + 7 and 2 more")
        #expect(summary("S(orders: [7])", "S(orders: [])") == "orders: − 7")
        #expect(summary("S(orders: [1, 2, 3])", "S(orders: [4, 5])") == "orders: [1, 2, 3] → [4, 5]")
        #expect(summary(#"S(s: Set(["b", "a"]))"#, #"S(s: Set(["a", "b", "c"]))"#) == #"s: + "c""#)
    }

    @Test func valuesAreTextsOfTheStates() {
        #expect(
            summary(
                "Library(status: App.Episode.Status.loading(percent: 20))",
                "Library(status: App.Episode.Status.cancelled)")
                == "status: App.Episode.Status.loading(percent: 20) → App.Episode.Status.cancelled")
        #expect(
            summary(
                "Library(status: App.Episode.Status.loading(percent: 20))",
                "Library(status: App.Episode.Status.loading(percent: 40))") == "status.loading.percent: 20 → 40")
        #expect(
            summary("S(orders: [])", #"S(orders: [ShopApp.Order(note: "App.Order", cents: 1.5, to: a.example.com)])"#)
                == #"orders: + ShopApp.Order(note: "App.Order", cents: 1.5, to: a.example.c…"#)
        #expect(summary("S(a: nil)", #"S(a: Optional("x"))"#) == #"a: nil → Optional("x")"#)
        #expect(summary("S(path: /etc/Foo.conf)", "S(path: /etc/Bar.conf)") == "path: /etc/Foo.conf → /etc/Bar.conf")
        let family = String(repeating: "👩‍👩‍👧", count: 61)
        #expect(summary("S(a: 1)", "S(a: \(family))") == "a: 1 → \(family.dropLast().prefix(19))…")
    }

    @Test func theFirstChangeOfEachFieldComesFirst() {
        #expect(
            summary(
                "S(a: T(x: 1, y: 1, z: 1), b: 1, c: 1, d: 1)", "S(a: T(x: 2, y: 2, z: 2), b: 2, c: 2, d: 2)")
                == "a.x: 1 → 2, b: 1 → 2, c: 1 → 2, d: 1 → 2, 2 more")
    }

    @Test func aTextThatIsNoDescriptionIsComparedAsAWhole() {
        #expect(summary("free, (text", "free, )text") == "free, (text → free, )text")
        #expect(summary(#"S(a: "(", b: 1)"#, #"S(a: "(", b: 2)"#) == "b: 1 → 2")
        let deep = { String(repeating: "A(", count: 20_000) + $0 + String(repeating: ")", count: 20_000) }
        #expect(summary(deep("1"), deep("2")).hasSuffix("…"))
    }

    @Test func theOrderOfADictionaryAndOfASetIsNoDifference() {
        #expect(
            ValueText(#"S(m: ["b": [2: Set([y, x]), 1: 0], "a, (": 1])"#).sorted
                == #"S(m: ["a, (": 1, "b": [1: 0, 2: Set([x, y])]])"#)
        let others = [
            "[b, a]", "[10:20, 09:30]", "[b: 1, a]", "[x: 1, x: 0]", "S(a: Optional(nil), b: [:], c: [])", "[b: 1",
        ]
        for text in others {
            #expect(ValueText(text).sorted == text)
        }
    }
}
