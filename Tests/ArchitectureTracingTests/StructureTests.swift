import ArchitectureTracing
import Foundation
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing

/// States as trees, and changes of their parts.
@Suite("Structure", .timeLimit(.minutes(10)))
struct StructureTests {
    struct Row: Hashable, Sendable {
        var id: Int
        var title: String
    }

    enum Phase: Hashable, Sendable {
        case idle
        case loaded(Row)
        case failed(code: Int, String)
        indirect case next(Phase)
    }

    class Base: @unchecked Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    final class Box: Base, @unchecked Sendable {
        let row: Row
        var other: Box?
        var third: Box?
        init(_ number: Int, _ row: Row) {
            self.row = row
            super.init(number)
        }
    }

    struct State: Sendable {
        var rows: [Row] = []
        var lists: [[Int]] = []
        var names: ContiguousArray<String> = []
        var byName: [String: Row] = [:]
        var set: Set<Int> = []
        var pair = (0, name: "a")
        var phase = Phase.idle
        var row: Row?
        var box = Box(0, Row(id: 0, title: ""))
        var data = Data()
        var ratio = 0.0
        var flags: [Bool] = []
        var tags: Set<Int>?
        var counts: [Int: Int]?

        static let gen: Gen<State> = {
            let row = Gen.zip(.int(in: 0...3), .element(of: ["", "a", "…"])).map { Row(id: $0, title: $1) }
            let phase = Gen<Phase>.oneOf(
                .element(of: [.idle, .next(.idle), .next(.next(.idle))]), row.map(Phase.loaded),
                Gen.zip(.int(in: 0...1), .element(of: ["x", "y"])).map { Phase.failed(code: $0, $1) })
            let lists = Gen.int(in: 0...2).array(0...3).array(0...3)
            let numbers = Gen.int(in: 0...5).array(0...4)
            return Gen.zip(row.array(0...6), lists, numbers, phase, row.array(0...1), .int(in: 0...2)).map {
                rows, lists, numbers, phase, optional, number in
                var state = State(rows: rows, lists: lists, set: Set(numbers), phase: phase, row: optional.first)
                state.names = ContiguousArray(numbers.map { "\($0)" })
                state.byName = Dictionary(rows.map { ($0.title, $0) }) { $1 }
                state.pair = (number, name: "b")
                state.box = Box(number, Row(id: number, title: ""))
                state.data = Data(numbers.map(UInt8.init))
                state.ratio = number == 2 ? .nan : Double(number)
                state.flags = numbers.map { $0 > 2 }
                state.tags = number == 0 ? nil : Set(numbers)
                state.counts = number == 1 ? nil : Dictionary(numbers.map { ($0, number) }) { $1 }
                return state
            }
        }()
    }

    private func applied(_ changes: [ValueChange], to tree: ValueTree) -> ValueTree? {
        changes.reduce(tree) { tree, change in tree?.applying(change) }
    }

    @Test("The changes from one state to another, applied to the tree of the first, give the tree of the second")
    func model() async {
        await forAll(Gen.zip(State.gen, State.gen)) { old, new in
            let changes = ValueChanges.changes(from: old, to: new)
            #expect(applied(changes, to: ValueTree(of: old)) == ValueTree(of: new))
            #expect(ValueChanges.changes(from: new, to: new).isEmpty)
        }
    }

    @Test("Trees and changes are read as they were written")
    func coding() async {
        await forAll(Gen.zip(State.gen, State.gen)) { old, new in
            let record = JSONLines([event(old, new)]).records[0]
            let read = try JSONLines(decoding: JSONLines([event(old, new)]).data).records
            #expect(read.map(\.state) == [record.state] && read.map(\.changes) == [record.changes])
            #expect(record.state == ValueTree(of: new))
        }
    }

    private func event(_ old: State, _ new: State) -> TraceEvent {
        recorded { tracer, _ in
            tracer.record(.changed(from: TraceValue(old), to: TraceValue(new), observers: 0))
        }[0]
    }

    private func changes(_ change: (inout State) -> Void) -> [String] {
        var new = State(
            rows: (0..<100).map { Row(id: $0, title: "") }, byName: ["a": Row(id: 1, title: "")], set: [1, 2],
            phase: .loaded(Row(id: 1, title: "")))
        let old = new
        change(&new)
        return ValueChanges.changes(from: old, to: new).map { change in
            let path = change.path.map { step in
                switch step {
                case .label(let label): label
                case .index(let index): "\(index)"
                }
            }
            return "\(path.joined(separator: ".")): \(change.from?.description ?? "")→\(change.to?.description ?? "")"
        }
    }

    @Test("A change has the path of the part that has changed, and only this part")
    func paths() {
        #expect(changes { $0.rows[70].title = "b" } == [#"rows.70.title: ""→"b""#])
        #expect(changes { $0.rows.remove(at: 5) } == [#"rows.5: Row(id: 5, title: "")→"#])
        #expect(changes { $0.rows.insert(Row(id: -1, title: ""), at: 0) } == [#"rows.0: →Row(id: -1, title: "")"#])
        #expect(changes { $0.byName["a"]?.id = 2 } == [#"byName."a".id: 1→2"#])
        #expect(
            changes { $0.byName["b"] = $0.byName.removeValue(forKey: "a") }.map { $0.prefix(12) } == [
                #"byName."a": R"#.prefix(12), #"byName."b": →"#.prefix(12),
            ])
        #expect(changes { $0.set = [2, 3] } == ["set.1: 1→", "set.3: →3"])
        #expect(changes { $0.pair.name = "c" } == [#"pair.name: "a"→"c""#])
        #expect(changes { $0.pair.0 = 5 } == ["pair.0: 0→5"])
        #expect(changes { $0.phase = .loaded(Row(id: 2, title: "")) } == ["phase.loaded.id: 1→2"])
        #expect(
            changes { $0.phase = .failed(code: 1, "x") } == [
                #"phase: .loaded(Row(id: 1, title: ""))→.failed(code: 1, "x")"#
            ])
        #expect(changes { $0.row = Row(id: 1, title: "") } == [#"row: nil→Row(id: 1, title: "")"#])
        #expect(changes { $0.box = Box(7, $0.box.row) } == ["box.number: 0→7"])
        #expect(changes { $0.data = Data([0, 255]) } == ["data: - Data(\"\".utf8)→- Data([0x00, 0xff])"])
    }

    @Test("Absent values are equal, whatever bytes are left of the values before")
    func absentValues() {
        var old = State(row: Row(id: 7, title: "A title that is longer than fifteen bytes"))
        old.row = nil
        withUnsafeMutableBytes(of: &old.row) { bytes in
            // The last byte tells that there is no value. The others have no meaning.
            for index in 0..<MemoryLayout<Int>.size { bytes[index] = 0xA5 }
        }
        #expect(old.row == nil)
        let changes = ValueChanges.changes(from: old.row as Any, to: Row?.none as Any)
        #expect(changes.isEmpty)
    }

    @Test("Many changes become one of the part that contains them, and many parts are counted")
    func bounds() {
        let rows = (0..<40_000).map { Row(id: $0, title: "") }
        let tree = ValueTree(of: State(rows: rows))
        #expect(tree["rows"].map { $0.parts.count + $0.more } == 40_000)
        #expect(tree["rows"]!.more > 0)
        let changes = ValueChanges.changes(
            from: State(rows: rows), to: State(rows: rows.map { Row(id: -$0.id, title: "b") }))
        #expect(changes.map(\.path) == [[.label("rows")]])
        #expect("\(changes[0])".count < 1_000_000)
        let old = State(rows: rows)
        var new = old
        new.rows.removeLast()
        let last = ValueChanges.changes(from: old, to: new)
        #expect(last.map(\.path) == [[.label("rows"), .index(39_999)]])
        #expect(applied(last, to: tree)?["rows"]?.more == tree["rows"]!.more - 1)
        new.rows += rows.suffix(2)
        let added = applied(ValueChanges.changes(from: old, to: new), to: tree)
        #expect(added?["rows"]?.more == tree["rows"]!.more + 1)
        #expect(added?["rows"]?.parts == tree["rows"]?.parts)
    }

    @Test("Deep values, objects that refer to each other and long texts are described within bounds")
    func hostile() {
        let deep = (0..<10_000).reduce(Phase.idle) { phase, _ in .next(phase) }
        let deeper = Phase.next(deep)
        #expect("\(ValueTree(of: deep))".count < 1_000)
        #expect(ValueChanges.changes(from: deep, to: deeper).count == 1)
        let (box, other) = (Box(1, Row(id: 0, title: "")), Box(2, Row(id: 0, title: "")))
        (box.other, box.third, other.other, other.third) = (other, other, box, box)
        #expect("\(ValueTree(of: box))".count < 1_000)
        #expect(ValueChanges.changes(from: box, to: other).isEmpty == false)
        #expect("\(ValueTree(of: String(repeating: "a", count: 1_000_000)))".count < 11_000)
    }
}
