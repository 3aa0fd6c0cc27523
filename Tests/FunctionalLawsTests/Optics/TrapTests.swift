import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// Optics that trap in a program. A law reports the message, and the process continues.
@Suite("Laws of optics that trap", .timeLimit(.minutes(10)))
struct TrapTests {
    private func message(_ property: Property) async -> String? {
        await property.falsify(settings: .init(seed: 1))?.message
    }

    private let second = Affine<[Row], Row>.element(id: 2, by: \.id)
    private let rows = Gen.element(of: [[], [Row(id: 1)], [Row(id: 2)], [Row(id: 1), Row(id: 2, name: "a")]])

    @Test("An affine to an element is unlawful for parts with another id")
    func otherIDs() async {
        let property = AffineLaw.extractWhatYouSet.property(of: second, whole: rows, part: Row.gen)
        let text = await message(property)
        #expect(
            text == """
                The law does not hold: extract(set(s, a)) == extract(s).map(const a)
                    Outside of a law, the optic traps: A change through element(id:) changed the id of a Row from 2 to 0. To \
                fix, keep the id in the change, or replace the element through a lens to the collection.
                """)
        let traversal = await message(
            TraversalLaw.settingTwiceIsSettingOnce.property(of: second.asTraversal, whole: rows, part: Row.gen))
        #expect(traversal?.contains("changed the id of a Row from 2 to") == true)
    }

    @Test("An affine to an element is lawful for parts with its id", arguments: AffineLaw.allCases)
    func sameID(_ law: AffineLaw) async {
        let part = text.map { Row(id: 2, name: $0) }
        // The changes of these laws are generated parts, too.
        #expect(await law.property(of: second, whole: rows, part: part).falsify(settings: .init(seed: 1)) == nil)
    }

    private func misused(_ calls: Int) -> @Sendable (inout Row, (inout String) -> Void) -> Void {
        { row, change in for _ in 0..<calls { change(&row.name) } }
    }

    @Test(
        "A lens that calls its closure more than once, or not at all, is unlawful", arguments: [0, 2], LensLaw.allCases)
    func lensClosures(_ calls: Int, _ law: LensLaw) async {
        let lens = Lens<Row, String>(get: { $0.name }, modify: misused(calls))
        let found = await message(law.property(of: lens, whole: Row.gen, part: text)) ?? "passed"
        // The first two laws set the part without a closure of theirs.
        let wanted = calls == 0 ? "without calling the closure it receives." : "more than once."
        #expect(found == "passed" || found.contains(wanted) || found.contains("left:"), "\(found)")
        if law == .theClosureRunsOnceAndItsErrorIsThrown { #expect(found.contains(wanted), "\(found)") }
    }

    @Test("A prism that calls its closure twice is unlawful")
    func prismClosures() async {
        let prism = Prism<Screen, Int>(
            embed: Screen.loading, extract: { $0.count },
            modify: { screen, change in
                guard var count = screen.count else { return }
                change(&count)
                change(&count)
                screen = .loading(count)
            })
        let found = await message(
            PrismLaw.changingNothingChangesNothing.property(of: prism, whole: Screen.gen, part: number))
        #expect(found?.contains("called the closure it receives more than once.") == true)
    }
}
