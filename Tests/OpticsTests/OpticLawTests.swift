import FunctionalLaws
import Optics
import PropertyTesting
import Testing

@Suite("Laws of the optics", .cases(200), .timeLimit(.minutes(10)))
struct OpticLawTests {
    @Test(arguments: LensLaw.allCases)
    func lensesSatisfyTheirLaws(_ law: LensLaw) async {
        await expect(law, Optic.title)
        await expect(law, Optic.count)
        await expect(law, Optic.title.appending(Lens<String, String>.identity))
        await expect(law, Lens<App, App>.identity.rows)
        await expect(law, Optic.count.appending(Optic.negated))
        await expect(law, Optic.negated.asLens)
        await expect(law, Optic.pair.appending(Lens(\Pair.name)))
        await expect(law, Lens<Row, [Int]>(get: { $0.tags }, modify: { row, change in change(&row.tags) }))
        await expect(law, Lens<[String: Int], Int?>.at("a"))
        await expect(law, Optic.ages.at("b"))
    }

    @Test(arguments: AffineLaw.allCases)
    func affinesSatisfyTheirLaws(_ law: AffineLaw) async {
        // An affine whose part is always present never tests the law about absent parts.
        let total = law == .whereThereIsNoPartNothingHappens ? 0 : 0.01
        await expect(law, Optic.screen.appending(Optic.loading))
        await expect(law, Optic.loaded.appending(Lens(\Row.name)))
        await expect(law, Optic.user.some().name)
        await expect(law, Optic.user.some().tags.index(1))
        await expect(law, Affine<[Int], Int>.index(2))
        await expect(law, Affine<[Int], Int>.index(-1), atLeast: 0)
        await expect(law, Affine<Int, Int>.identity, atLeast: total)
        await expect(law, Optic.negated.asAffine, atLeast: total)
        await expect(law, Optic.title.asAffine, atLeast: total)
        await expect(law, Optic.text.asAffine)
        await expect(law, Optic.screen.appending(Optic.nested).appending(Optic.text))
        await expect(law, Optic.user.some().appending(Optic.pair).appending(Lens(\Pair.left)))
        await expect(law, Optic.rows.element(id: 1).name)
        await expect(law, Optic.rows.element(id: "a", by: \.name).tags)
        await expect(law, Optic.ages.element(id: "a"))
        await expect(law, Affine<[String: Int], Int>.element(id: "b"))
        await expect(law, Affine<[Int: Int], Int?>.identity(at: 1), atLeast: total)
        await expect(law, Affine<Int?, Int>(extract: { $0 }, set: { _, new in new }))
        await expect(law, Optic.loading.orElse(Optic.loaded.id))
        await expect(law, Optic.user.some().name.orElse(Optic.title), atLeast: total)
    }

    @Test(arguments: PrismLaw.allCases)
    func prismsSatisfyTheirLaws(_ law: PrismLaw) async {
        let total = law == .aMissIsLeftAloneAndTheClosureNotCalled ? 0 : 0.01
        await expect(law, Optic.loading)
        await expect(law, Optic.loaded)
        await expect(law, Optic.nested.appending(Optic.text))
        await expect(law, Prism<Screen, Screen>.identity, atLeast: total)
        await expect(law, Optic.loading.appending(Optic.negated))
        await expect(law, Optic.pair.asPrism, atLeast: total)
        await expect(law, Optic.pair.appending(Prism<Pair, Pair>.identity), atLeast: total)
        await expect(law, Prism<Int?, Int>.some)
        await expect(law, Prism<Int??, Int?>.some.some())
        await expect(law, Prism<Result<Int, Refusal>, Int>.success())
        await expect(law, Prism<Result<Int, Refusal>, Refusal>.failure())
        await law.property(
            of: Prism.only(2), whole: Int.gen, part: .always(()), wholes: { $0 == $1 }, parts: { _, _ in true }
        ).check()
    }

    @Test(arguments: IsoLaw.allCases)
    func isosSatisfyTheirLaws(_ law: IsoLaw) async {
        await expect(law, Optic.negated)
        await expect(law, Optic.pair)
        await expect(law, Optic.pair.reversed)
        await expect(law, Optic.pair.appending(Optic.pair.reversed))
        await expect(law, Iso<String, String>.identity)
    }

    @Test(arguments: TraversalLaw.allCases)
    func traversalsSatisfyTheirLaws(_ law: TraversalLaw) async {
        await expect(law, Traversal<[Int], Int>.each)
        await expect(law, Optic.ends)
        await expect(law, Optic.pair.appending(Optic.ends))
        await expect(law, Optic.rows.each.tags.each)
        await expect(law, Optic.rows.each.appending(Optic.pair).appending(Optic.ends))
        await expect(law, Optic.loaded.tags.each)
        await expect(law, Optic.user.some().tags.each)
        await expect(law, Traversal<[Int?], Int?>.each.some())
        await expect(law, Optic.rows.each.tags.index(1))
        await expect(law, Traversal<[[String: Int]], [String: Int]>.each.at("a"))
        await expect(law, Traversal<Int, Int>.identity)
        await expect(law, Optic.title.asTraversal)
        await expect(law, Optic.loading.asTraversal)
        await expect(law, Optic.negated.asTraversal)
        await expect(law, Optic.ages.eachValue())
    }

    @Test(arguments: FoldLaw.allCases)
    func foldsSatisfyTheirLaws(_ law: FoldLaw) async {
        await expect(law, Fold<[Int], Int>.each)
        await expect(law, Fold<Int, Int>.identity)
        await expect(law, Fold(\App.rows.count))
        await expect(law, Lens(\App.ages).asFold.keys.each)
        await expect(law, Optic.rows.each.tags.each.filter { $0 > 0 })
        await expect(law, Optic.rows.each.asFold.tags.each)
        await expect(law, Fold(\App.user).some().name)
        await expect(law, Optic.title.asFold.combine(Optic.rows.each.name.asFold))
        await expect(law, Optic.ends.asFold)
        await expect(law, Optic.loading.asFold)
        await expect(law, Optic.negated.asFold)
        await expect(law, Fold<[Int], Int>.empty, atLeast: 0)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: FoldLaw, _ fold: Fold<Whole, Part>, atLeast share: Double = 0.01,
        at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: fold, whole: Whole.gen, part: Part.gen, atLeast: share).check(sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: LensLaw, _ lens: Lens<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: lens, whole: Whole.gen, part: Part.gen).check(sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: PrismLaw, _ prism: Prism<Whole, Part>, atLeast share: Double = 0.01,
        at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: prism, whole: Whole.gen, part: Part.gen, atLeast: share).check(sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: IsoLaw, _ iso: Iso<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: iso, whole: Whole.gen, part: Part.gen).check(sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: TraversalLaw, _ traversal: Traversal<Whole, Part>, at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: traversal, whole: Whole.gen, part: Part.gen).check(sourceLocation: location)
    }

    private func expect<Whole: Arbitrary, Part: Arbitrary>(
        _ law: AffineLaw, _ affine: Affine<Whole, Part>, atLeast share: Double = 0.01,
        at location: SourceLocation = #_sourceLocation
    ) async {
        await law.property(of: affine, whole: Whole.gen, part: Part.gen, atLeast: share)
            .check(sourceLocation: location)
    }
}

extension Affine {
    fileprivate static func identity<Key: Hashable & Sendable, Value>(at key: Key) -> Affine
    where Whole == [Key: Value], Part == Value? {
        Lens<[Key: Value], [Key: Value]>.identity.asAffine.at(key)
    }
}
