import ArchitectureTesting
import Foundation
import FunctionalCore
import Testing

@Suite("Differences of values", .timeLimit(.minutes(10)))
struct ValueDiffTests {
    /// A list of nodes that the compiler cannot keep flat.
    indirect enum Chain: Equatable, Sendable {
        case end(Int)
        case next(Chain)

        init(length: Int, end: Int) { self = (0..<length).reduce(.end(end)) { chain, _ in .next(chain) } }
    }

    struct Row: Equatable, Sendable {
        var id: Int
        var name = "row"
    }

    final class Node: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// Values that look alike.
    struct Secret: Equatable, CustomReflectable {
        let number: Int
        var customMirror: Mirror { Mirror(self, children: ["shown": 0]) }
    }

    struct Described: Sendable, CustomStringConvertible {
        let description: String
    }

    /// Equal values that show different places in memory.
    struct Boxed: Equatable, CustomReflectable {
        let node: Node
        var customMirror: Mirror { Mirror(self, children: ["place": UInt(bitPattern: ObjectIdentifier(node))]) }

        static func == (left: Boxed, right: Boxed) -> Bool { left.node.number == right.node.number }
    }

    struct Pair: Equatable {
        let secret: Secret
        var number = Double.nan
    }

    @Test("A state of ten thousand levels is described and compared without a deep stack")
    func deepValues() throws {
        let (old, new) = (Chain(length: 10_000, end: 1), Chain(length: 10_000, end: 2))
        for lines in [ValueDiff.differenceOfSnapshots(from: old, to: new).lines, ValueDump.lines(of: new)] {
            #expect(lines.count < 200)
        }
        #expect(boundedDescription(new).contains("…") && boundedDescription(new).count < 10_000)
        #expect(!ValueEquality.areSame(old, new, askingValues: false))
        #expect(ValueEquality.areSame(new, Chain(length: 10_000, end: 2), askingValues: false))
    }

    @Test(
        "One wrong row of a hundred thousand is shown with its neighbours, wherever it is",
        arguments: [0, 50_000, 99_999])
    func longLists(_ place: Int) {
        let old = (0..<100_000).map { Row(id: $0) }
        var new = old
        new[place].name = "other"
        for diff in [
            ValueDiff.difference(from: old, to: new), ValueDiff.differenceOfSnapshots(from: old, to: new),
        ] {
            #expect(diff.distance == 2)
            #expect(diff.lines.filter { $0.hasPrefix("+") } == [#"+     - name: "other""#])
            #expect(diff.lines.count < 15)
            #expect(diff.lines.contains { $0.hasPrefix("  … at least ") })
        }
    }

    @Test("A row that was inserted, and one that was removed far away, are found")
    func alignment() {
        let old = (0..<10_000).map { Row(id: $0) }
        var new = old
        new.remove(at: 9_000)
        new.insert(Row(id: -1), at: 1_000)
        let diff = ValueDiff.difference(from: old, to: new)
        #expect(
            diff.lines.filter { $0.contains("id: -1") || $0.contains("id: 9000") }.map { $0.prefix(1) } == ["+", "−"])
        #expect(diff.distance == 6)
    }

    @Test("A report of twenty thousand wrong rows has a hundred lines")
    func manyChanges() {
        let old = (0..<20_000).map { Row(id: $0) }
        let lines = LineDiff.excerpt(ValueDiff.difference(from: old, to: old.map { Row(id: -$0.id - 1) }).lines)
        #expect(lines.count == 100)
        #expect(lines.last?.hasSuffix(" more lines") == true)
    }

    @Test("Members of long sets and entries of long dictionaries that differ are shown alone")
    func unordered() {
        let (old, new) = (Set(0..<1_000), Set(1..<1_001))
        #expect(
            ValueDiff.differenceOfSnapshots(from: old, to: new).lines
                == ["  ▿ 1000 members", "−   - 0", "+   - 1000", "    … 999 equal lines"])
        let entries = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, [$0]) })
        var changed = entries
        changed[7] = [8]
        let lines = ValueDiff.differenceOfSnapshots(from: entries, to: changed).lines
        #expect(lines.filter { !$0.hasPrefix("  ") } == ["−       - 7", "+       - 8"])
        #expect(lines.last == "    … at least 999 equal lines")
    }

    @Test("A difference that cannot be shown is not passed over")
    func leftOut() {
        let lists = [[Int]](repeating: Array(0..<49), count: 41)
        var changed = lists
        changed[40][48] = -1
        #expect(
            ValueDiff.differenceOfSnapshots(from: lists, to: changed).lines.suffix(2) == ["−     - 48", "+     - -1"])
        let chains = ValueDiff.differenceOfSnapshots(from: Chain(length: 100, end: 1), to: Chain(length: 100, end: 2))
        #expect(chains.lines.last == "+ … What differs is left out here.")
        let texts = ["-", "+"].map { Described(description: String(repeating: "a", count: 2_000) + $0) }
        let lines = ValueDiff.differenceOfSnapshots(from: texts[0], to: texts[1]).lines
        #expect(lines.filter { !$0.hasPrefix("  ") }.map { $0.suffix(2) } == ["-\"", "+\""])
        let bytes = [UInt8](repeating: 0, count: 1_000_000)
        #expect(ValueDump.lines(of: bytes).count == 1_002)
    }

    @Test("A wrong entry of a long dictionary is found at once, also beside NaN")
    func dictionaries() {
        let old = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, [Double.nan]) })
        let same = Dictionary(uniqueKeysWithValues: (0..<20_000).reversed().map { ($0, [Double.nan]) })
        #expect(ValueEquality.areEqual(old, same))
        #expect(!ValueEquality.areEqual(old, same.merging([7: [1]]) { $1 }))
        #expect(!ValueEquality.areEqual(old, same.filter { $0.key > 0 }))
    }

    @Test("A long text is shown from a little before its first difference")
    func longTexts() {
        let text = String(repeating: "a", count: 100_000)
        let lines = ValueDiff.difference(from: text + "b", to: text + "c").lines
        #expect(lines.map(\.last) == ["\"", "\""])
        #expect(lines.allSatisfy { $0.count < 60 })
    }

    @Test("Objects are compared by their parts, and a number that is not equal to itself is equal to another")
    func equality() {
        func same(_ left: Any, _ right: Any) -> Bool { ValueEquality.areSame(left, right, askingValues: true) }
        #expect(same(Node(1), Node(1)) && !same(Node(1), Node(2)))
        let node = Node(1)
        #expect(!same([node, node], [Node(1), Node(2)]))
        #expect(same([Double.nan, 1], [Double.nan, 1]) && !same([Double.nan, 1], [Double.nan, 2]))
        #expect(
            !same(Double.nan, 1.0) && !same(1 as Any, "1") && !same([1], [1, 2])
                && !same([Node(1)], [Node(1), Node(1)]))
        #expect(same(Data([1]), Data([1])) && !same(Data([1]), Data([2])))
        #expect(same(["a": Set([1, 2])], ["a": Set([2, 1])]) && !same(Set([1]), Set([2])))
        let boxes = [Boxed(node: Node(1)), Boxed(node: Node(1))]
        #expect(ValueEquality.areSame([boxes[0]], [boxes[1]], askingValues: false))
        let secrets = (Secret(number: 1), Secret(number: 2))
        #expect(!same(Pair(secret: secrets.0), Pair(secret: secrets.1)))
        #expect(same(Pair(secret: secrets.0), Pair(secret: secrets.0)))
        let nodes = (0..<100_000).map { Node($0) }
        #expect(same(nodes, nodes))
        #expect(ValueDump.lines(of: nodes).count < 1_100)
    }

    struct Everything {
        let bytes: [UInt8]
        let object = Object()
        let optional: Int? = 1
        let absent: String? = nil
        let tuple = (left: 1, 2)
        let payload = Choice.both(1, text: "▹")
        let none = Choice.none
        let dictionary = ["a": [1]]
        let set: Set = [2, 1]
        let range: any Sendable = UInt8(1)..<2
        let text = "a"

        enum Choice {
            case none
            case both(Int, text: String)
        }

        final class Object: Sendable {
            let number = 1
            let bytes: [UInt32] = [1]
        }
    }

    @Test("Bytes are one line of text, and everything else is dumped as by the standard library")
    func bytes() {
        var text = ""
        dump(Everything(bytes: []), to: &text)
        let expected = text.split(separator: "\n").map { line in
            line == "  - bytes: 0 elements" ? "  - bytes: Array<UInt8>(\"\".utf8)" : String(line)
        }
        let lines = ValueDump.lines(of: Everything(bytes: []))
        // The order of the elements of a set is not defined.
        #expect(lines.sorted() == expected.sorted())
        #expect(ValueDump.lines(of: [1, 2]) == ["▿ 2 elements", "  - 1", "  - 2"])
    }

    @Test("Bytes that are no text are rows of hexadecimal numbers, and a text of several lines is dumped by lines")
    func rows() {
        #expect(ValueDump.lines(of: Data([0, 255])) == ["- Data([0x00, 0xff])"])
        #expect(ValueDump.lines(of: [UInt8]("tab\t\"é\"".utf8)[...]) == [#"- ArraySlice<UInt8>("tab\t\"é\"".utf8)"#])
        #expect(
            ValueDump.lines(of: (0, data: Data((0..<18).map { $0 }))) == [
                "▿ (2 elements)", "  - .0: 0", "  ▿ data: Data(18 bytes)",
                "    - 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f", "    - 10 11",
            ])
        let (old, new) = (Data("{\n  a: 1\n}".utf8), Data("{\n  a: 2\n}".utf8))
        #expect(
            ValueDiff.difference(from: old, to: new).lines == [
                "  ▿ Data(10 bytes)", #"    - "{""#, #"−   - "  a: 1""#, #"+   - "  a: 2""#, #"    - "}""#,
            ])
    }

    @Test("Values are compared by their dumps")
    func values() {
        struct Point {
            var x = 1
            var y = 2
        }
        #expect(
            ValueDiff.difference(from: Point(), to: Point(y: 3)).lines.joined(separator: "\n") == """
                  ▿ ArchitectureTestingTests.ValueDiffTests.Point
                    - x: 1
                −   - y: 2
                +   - y: 3
                """)
    }
}
