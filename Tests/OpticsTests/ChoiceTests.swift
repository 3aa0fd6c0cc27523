import FunctionalCore
import Optics
import Testing

@Suite("Choices between two wholes", .timeLimit(.minutes(10)))
struct ChoiceTests {
    private typealias Named = Either<Row, Pair>

    private let row = Named.left(Row(id: 1, name: "Ann", tags: [1, 2]))
    private let pair = Named.right(Pair(left: 3, name: "Bob", tags: [4]))

    @Test func aChoiceOfAnyTwoOpticsWithAtMostOnePartIsAnAffine() {
        let name = Affine.choice(Lens(\Row.name), Optic.loaded.name)
        let number = Affine.choice(Optic.negated, Optic.loading)
        let none: Either<Row, Screen> = .right(.idle)

        #expect(name.extract(.left(Row(name: "Ann"))) == "Ann" && name.extract(none) == nil)
        #expect(name.extract(.right(.loaded(Row(name: "Bob")))) == "Bob")
        #expect(name.setting(none, "Zoe") == none)
        #expect(name.setting(.right(.loaded(Row(name: "Bob"))), "Zoe") == .right(.loaded(Row(name: "Zoe"))))
        #expect(
            number.setting(.left(1), 2) == .left(-2) && number.setting(.right(.loading(1)), 2) == .right(.loading(2)))
    }

    /// Other libraries have `choice` for folds.
    @Test func foldsAreCombinedWithPrisms() {
        let names = Prism.left().appending(Fold(\Row.name)).combine(Prism.right().appending(Fold(\Pair.name)))
        #expect(names.getAll(row) == ["Ann"] && names.getAll(pair) == ["Bob"])
    }

    @Test func anErrorOfAChangeIsThrown() {
        let name = Lens.choice(Lens(\Row.name), Lens(\Pair.name))
        var whole = pair
        #expect(throws: Refusal()) {
            try name.modify(&whole) { (part: inout String) throws(Refusal) in
                part = "Zoe"
                throw Refusal()
            }
        }
        #expect(name.get(whole) == "Zoe")
    }
}
