import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

@Suite("Differences of lines", .timeLimit(.minutes(10)))
struct LineDiffTests {
    private func lines(_ range: Range<Int>) -> [String] { range.map { "line \($0)" } }

    @Test("Three equal lines surround each change, and the number of the others stands in their place")
    func folding() {
        var actual = lines(0..<30)
        actual[10] = "new"
        actual.insert("more", at: 21)
        let diff = LineDiff(from: lines(0..<30), to: actual)
        #expect(
            diff.lines.joined(separator: "\n") == """
                  … 7 equal lines
                  line 7
                  line 8
                  line 9
                − line 10
                + new
                  line 11
                  line 12
                  line 13
                  … 4 equal lines
                  line 18
                  line 19
                  line 20
                + more
                  line 21
                  line 22
                  line 23
                  … 6 equal lines
                """)
        #expect(diff.distance == 3)
    }

    @Test("A single line is not folded")
    func singleLines() {
        // One line more than the context before, between and after the changes.
        let expected = lines(0..<4) + ["a"] + lines(4..<11) + ["b"] + lines(11..<15)
        let actual = lines(0..<4) + ["c"] + lines(4..<11) + ["d"] + lines(11..<15)
        #expect(LineDiff(from: expected, to: actual).lines.allSatisfy { !$0.contains("equal lines") })
        let longer = LineDiff(from: ["first"] + expected, to: ["first"] + actual).lines
        #expect(longer.first == "  … 2 equal lines")
    }

    @Test("A difference with an empty list contains all lines")
    func emptyLists() {
        #expect(LineDiff(from: [], to: ["a", "b"]).lines == ["+ a", "+ b"])
        #expect(LineDiff(from: ["a", "b"], to: []).lines == ["− a", "− b"])
        #expect(LineDiff(from: [], to: [String]()).distance == 0)
    }

    @Test("Both lists can be read off a difference, which is a shortest one")
    func differences() async {
        let letters = Gen.int(in: 0...4).map { "\($0)" }.array(0...12)
        await forAll(letters, letters) { expected, actual in
            let diff = LineDiff(from: expected, to: actual)
            try #require(diff.distance == actual.difference(from: expected).count)
            if diff.distance == 0 || diff.lines.contains(where: { $0.contains("equal lines") }) { return }
            let lines = { (marks: [String]) in
                diff.lines.filter { marks.contains(String($0.prefix(2))) }.map { String($0.dropFirst(2)) }
            }
            #expect(lines(["− ", "  "]) == expected)
            #expect(lines(["+ ", "  "]) == actual)
        }
    }

    @Test("Few changes in ten thousand equal lines are found")
    func longRuns() {
        var actual = [String](repeating: "- 0", count: 10_000)
        (actual[10], actual[5_000], actual[9_990]) = ("- 1", "- 0", "- 1")
        let diff = LineDiff(from: [String](repeating: "- 0", count: 10_000), to: actual)
        #expect(diff.distance == 4)
        #expect(diff.lines.count == 3 + 4 + 4 * 3)
    }

    @Test("Ten thousand lines of which each has changed cost no search")
    func completeChanges() {
        // Every second line is kept.
        let expected = (0..<10_000).map { $0 % 2 == 0 ? "line \($0)" : "old \($0)" }
        let actual = (0..<10_000).map { $0 % 2 == 0 ? "line \($0)" : "new \($0)" }
        #expect(LineDiff(from: expected, to: actual).distance == 10_000)
    }

    @Test("Of ten thousand shuffled lines, all between the first and the last difference count as changed")
    func shuffles() {
        var generator = SeededGenerator(seed: 1)
        let expected = ["first"] + lines(0..<10_000) + ["last"]
        let actual = ["first"] + lines(0..<10_000).shuffled(using: &generator) + ["last"]
        let diff = LineDiff(from: expected, to: actual)
        #expect(diff.distance == 20_000)
        #expect(diff.lines.first == "  first")
        #expect(diff.lines.last == "  last")
    }

    @Test("Equal sets and dictionaries have equal dumps, whatever the order of their elements is")
    func unorderedCollections() {
        struct Box: Hashable {
            var numbers: Set<Int>
        }
        func dump(capacity: Int, _ numbers: some Sequence<Int>) -> [String] {
            var set = Set<Int>(minimumCapacity: capacity)
            for number in numbers { set.insert(number) }
            var dictionary = [Box: [String: Int]](minimumCapacity: capacity)
            for number in numbers { dictionary[Box(numbers: [number, -number])] = ["a": 1, "b": number] }
            return ValueDump.lines(of: [(set, dictionary)])
        }
        let lines = dump(capacity: 0, 0..<20)
        #expect(lines == dump(capacity: 1_000, (0..<20).reversed()))
        #expect(lines.count == 2 + 1 + 20 + 1 + 20 * 12 - 1)
    }

    @Test("The elements of a set are sorted with their parts, and what follows the set stays behind it")
    func sorting() {
        struct Part: Hashable {
            var id: Int
        }
        struct Whole {
            var parts: Set<Part> = [Part(id: 2), Part(id: 1)]
            var last = 0
        }
        #expect(
            ValueDump.lines(of: Whole()).map { $0.replacing("FunctionalCoreTests.LineDiffTests.", with: "") } == [
                "▿ Whole", "  ▿ parts: 2 members", "    ▿ Part", "      - id: 1", "    ▿ Part", "      - id: 2",
                "  - last: 0",
            ])
    }
}
