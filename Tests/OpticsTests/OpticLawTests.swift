import Optics
import Testing

@Suite("Laws of the optics")
struct OpticLawTests {
    @Test(arguments: LensLaw.allCases)
    func lenses(_ law: LensLaw) {
        expect(law, Optic.title)
        expect(law, Optic.count)
        expect(law, Optic.title.appending(Lens<String, String>.identity))
        expect(law, Lens<App, App>.identity.rows)
        expect(law, Optic.count.appending(Optic.negated))
        expect(law, Optic.negated.asLens)
        expect(law, Optic.pair.appending(Lens(\Pair.name)))
        expect(law, Lens<Row, [Int]>(get: { $0.tags }, modify: { row, change in change(&row.tags) }))
        expect(law, Lens<[String: Int], Int?>.at("a"))
        expect(law, Optic.ages.at("b"))
    }

    @Test(arguments: AffineLaw.allCases)
    func affines(_ law: AffineLaw) {
        expect(law, Optic.screen.appending(Optic.loading))
        expect(law, Optic.loaded.appending(Lens(\Row.name)))
        expect(law, Optic.user.some().name)
        expect(law, Optic.user.some().tags.index(1))
        expect(law, Affine<[Int], Int>.index(2))
        expect(law, Affine<[Int], Int>.index(-1))
        expect(law, Affine<Int, Int>.identity)
        expect(law, Optic.negated.asAffine)
        expect(law, Optic.title.asAffine)
        expect(law, Optic.text.asAffine)
        expect(law, Optic.screen.appending(Optic.nested).appending(Optic.text))
        expect(law, Optic.user.some().appending(Optic.pair).appending(Lens(\Pair.left)))
        expect(law, Optic.rows.element(id: 1).name)
        expect(law, Optic.rows.element(id: "a", by: \.name).tags)
        expect(law, Affine<[Int: Int], Int?>.identity(at: 1))
        expect(law, Affine<Int?, Int>(extract: { $0 }, set: { _, new in new }))
    }

    @Test(arguments: PrismLaw.allCases)
    func prisms(_ law: PrismLaw) {
        expect(law, Optic.loading)
        expect(law, Optic.loaded)
        expect(law, Optic.nested.appending(Optic.text))
        expect(law, Prism<Screen, Screen>.identity)
        expect(law, Optic.loading.appending(Optic.negated))
        expect(law, Optic.pair.asPrism)
        expect(law, Optic.pair.appending(Prism<Pair, Pair>.identity))
        expect(law, Prism<Int?, Int>.some)
        expect(law, Prism<Int??, Int?>.some.some())
    }

    @Test(arguments: IsoLaw.allCases)
    func isos(_ law: IsoLaw) {
        expect(law, Optic.negated)
        expect(law, Optic.pair)
        expect(law, Optic.pair.reversed)
        expect(law, Optic.pair.appending(Optic.pair.reversed))
        expect(law, Iso<String, String>.identity)
    }

    @Test(arguments: TraversalLaw.allCases)
    func traversals(_ law: TraversalLaw) {
        expect(law, Traversal<[Int], Int>.each)
        expect(law, Optic.ends)
        expect(law, Optic.pair.appending(Optic.ends))
        expect(law, Optic.rows.each.tags.each)
        expect(law, Optic.rows.each.appending(Optic.pair).appending(Optic.ends))
        expect(law, Optic.loaded.tags.each)
        expect(law, Optic.user.some().tags.each)
        expect(law, Traversal<[Int?], Int?>.each.some())
        expect(law, Optic.rows.each.tags.index(1))
        expect(law, Traversal<[[String: Int]], [String: Int]>.each.at("a"))
        expect(law, Traversal<Int, Int>.identity)
        expect(law, Optic.title.asTraversal)
        expect(law, Optic.loading.asTraversal)
        expect(law, Optic.negated.asTraversal)
        expect(law, Optic.ages.eachValue())
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: LensLaw, _ lens: Lens<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Sample.many.allSatisfy { law.holds(for: lens, $0) }, sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: PrismLaw, _ prism: Prism<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Sample.many.allSatisfy { law.holds(for: prism, $0) }, sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: IsoLaw, _ iso: Iso<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Sample.many.allSatisfy { law.holds(for: iso, $0) }, sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: TraversalLaw, _ traversal: Traversal<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Sample.many.allSatisfy { law.holds(for: traversal, $0) }, sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: AffineLaw, _ affine: Affine<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Sample.many.allSatisfy { law.holds(for: affine, $0) }, sourceLocation: location)
    }
}

extension Affine {
    fileprivate static func identity<Key: Hashable & Sendable, Value>(at key: Key) -> Affine
    where Whole == [Key: Value], Part == Value? {
        Lens<[Key: Value], [Key: Value]>.identity.asAffine.at(key)
    }
}
