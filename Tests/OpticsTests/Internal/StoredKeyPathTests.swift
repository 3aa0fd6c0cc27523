import Optics
import Testing

/// A lens reads a stored property at its offset. That would be undefined behavior for a property that is represented
/// in memory differently from a value of its type.
@Suite("Lenses to stored properties", .timeLimit(.minutes(10)))
struct StoredKeyPathTests {
    private let object = Node()

    @Test func aFunctionIsReadAndReplaced() {
        var record = Record(object)
        let function = Lens(\Record.function)
        #expect(function.get(record)(1) == 2)
        function.modify(&record) { change in change = { [change] in change($0) * 10 } }
        #expect(record.function(1) == 20)
        let optional = Lens(\Record.optionalFunction)
        optional.set(&record, { $0 + 5 })
        #expect(record.optionalFunction?(1) == 6)
        optional.set(&record, nil)
        #expect(record.optionalFunction == nil)
    }

    @Test func aFunctionInATupleIsReadAndReplaced() {
        var record = Record(object)
        #expect(Lens(\Record.pair).get(record).1(1) == 3)
        Lens(\Record.pair.1).set(&record) { $0 + 7 }
        Lens(\Record.pair.0).set(&record, 9)
        #expect(record.pair.0 == 9 && record.pair.1(1) == 8)
    }

    @Test func aMetatypeIsReadAndReplaced() {
        var record = Record(object)
        #expect(Lens(\Record.type).get(record) == Int.self)
        Lens(\Record.type).set(&record, Int.self)
        Lens(\Record.anyType).set(&record, String.self)
        #expect(record.anyType == String.self && record.last == 4)
    }

    @Test func aReferenceThatDoesNotRetainIsReadAndReplaced() {
        var record = Record(object)
        #expect(Lens(\Record.weak).get(record) === object)
        Lens(\Record.weak).set(&record, nil)
        #expect(record.weak == nil)
        Lens(\Record.weak).set(&record, object)
        #expect(record.weak === object)
        #expect(Lens(\Record.unowned).get(record) === object)
        Lens(\Record.unowned).set(&record, object)
        #expect(record.unowned === object)
    }

    @Test func observersAndWrappersRun() {
        var record = Record(object)
        Lens(\Record.observed).set(&record, 2)
        #expect(record.observed == 2 && record.observations == 1)
        Lens(\Record.wrapped).set(&record, 50)
        #expect(record.wrapped == 10)
    }

    @Test func aWriteDoesNotChangeTheNextPropertyInTheTail() {
        var tail = Tail()
        assign((7, 8), to: &tail.first)
        #expect(tail.second == 3)
        Lens(\Tail.first).set(&tail, (5, 6))
        #expect(tail.first == (5, 6) && tail.second == 3)
    }
}

@propertyWrapper
private struct AtMostTen {
    private var value = 0
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, 10) }
    }
}

private struct Record {
    var function: @Sendable (Int) -> Int = { $0 + 1 }
    var optionalFunction: (@Sendable (Int) -> Int)?
    var pair: (Int, @Sendable (Int) -> Int) = (1, { $0 + 2 })
    var type = Int.self
    var anyType: any Any.Type = Int.self
    weak var weak: Node?
    unowned var unowned: Node
    var observations = 0
    var observed = 0 { didSet { observations += 1 } }
    @AtMostTen var wrapped: Int
    var last = 4

    init(_ object: Node) {
        weak = object
        unowned = object
    }
}

/// `second` is stored in the tail padding of `first`, within its stride.
private struct Tail {
    var first: (Int, UInt8) = (1, 2)
    var second: UInt8 = 3
}
