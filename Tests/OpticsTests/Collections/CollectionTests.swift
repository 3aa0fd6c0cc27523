import Optics
import Testing

@Suite("Optics into collections", .timeLimit(.minutes(10)))
struct CollectionTests {
    @Test(arguments: [-1, 3, .max, .min])
    func anIndexOutOfRangeNeverMatches(_ index: Int) {
        let affine = Affine<[Int], Int>.index(index)
        var numbers = [1, 2, 3]

        #expect(affine.extract(numbers) == nil)
        #expect(affine.modify(&numbers) { $0 = 9 } == nil)
        #expect(!affine.set(&numbers, 9))
        #expect(numbers == [1, 2, 3])
    }

    @Test func aSliceUsesItsOwnIndices() {
        let slice = [1, 2, 3, 4][2...]

        #expect(Affine<ArraySlice<Int>, Int>.index(0).extract(slice) == nil)
        #expect(Affine<ArraySlice<Int>, Int>.index(2).extract(slice) == 3)
        #expect(Traversal<ArraySlice<Int>, Int>.each.modifying(slice) { $0 *= 10 } == [30, 40])
    }

    @Test func anElementIsFoundByItsIDAtAnyIndex() {
        let second = Affine<[Row], Row>.element(id: 2)
        var rows = [Row(id: 1), Row(id: 2, name: "b"), Row(id: 2, name: "c")]

        second.modify(&rows) { $0.name += "!" }
        #expect(rows.map(\.name) == ["", "b!", "c"])
        rows.reverse()
        #expect(second.extract(rows)?.name == "c")
        #expect(Affine<[Row], Row>.element(id: 9).extract(rows) == nil)
        #expect(Affine<[Row], Row>.element(id: "b!", by: \.name).extract(rows)?.id == 2)
    }

    @Test func anErrorStopsATraversalAfterTheChangesBeforeIt() {
        var numbers = [1, 2, 3]
        #expect(throws: Refusal()) {
            try Traversal<[Int], Int>.each.modify(&numbers) { (number: inout Int) throws(Refusal) in
                if number == 2 { throw Refusal() }
                number = 0
            }
        }
        #expect(numbers == [0, 2, 3])
    }

    @Test func anErrorOfAConditionIsRethrown() {
        #expect(throws: Refusal()) {
            try Traversal<[Int], Int>.each.contains([1]) { _ throws(Refusal) in throw Refusal() }
        }
        #expect(throws: Refusal()) {
            try Traversal<[Int], Int>.each.allSatisfy([1]) { _ throws(Refusal) in throw Refusal() }
        }
    }
}
