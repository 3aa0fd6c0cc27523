import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing

/// Which optics compose, and the kind of the result. The types assert the kind; the values check the direction.
@Suite("Composition", .timeLimit(.minutes(10)))
struct CompositionTests {
    private let app = App(title: "Home", screen: .loaded(Row(id: 1, name: "Ann", tags: [1, 2])), rows: [Row(id: 7)])
    private let whole = Lens<App, App>.identity

    @Test func everyPairOfKindsComposesToOneKind() {
        let iso = Iso<Int, Int>.identity
        let lens = Lens<Int, Int>.identity
        let prism = Prism<Int, Int>.identity
        let affine = Affine<Int, Int>.identity
        let traversal = Traversal<Int, Int>.identity

        let isos: Iso<Int, Int> = iso.appending(iso)
        let lenses: [Lens<Int, Int>] = [iso.appending(lens), lens.appending(iso), lens.appending(lens)]
        let prisms: [Prism<Int, Int>] = [iso.appending(prism), prism.appending(iso), prism.appending(prism)]
        let affines: [Affine<Int, Int>] = [
            iso.appending(affine), lens.appending(prism), lens.appending(affine), prism.appending(lens),
            prism.appending(affine), affine.appending(iso), affine.appending(lens), affine.appending(prism),
            affine.appending(affine),
        ]
        let traversals: [Traversal<Int, Int>] = [
            iso.appending(traversal), lens.appending(traversal), prism.appending(traversal),
            affine.appending(traversal),
            traversal.appending(iso), traversal.appending(lens), traversal.appending(prism),
            traversal.appending(affine),
            traversal.appending(traversal),
        ]

        let fold = Fold<Int, Int>.identity
        let folds: [Fold<Int, Int>] = [
            iso.appending(fold), lens.appending(fold), prism.appending(fold), affine.appending(fold),
            traversal.appending(fold),
            fold.appending(iso), fold.appending(lens), fold.appending(prism), fold.appending(affine),
            fold.appending(traversal), fold.appending(fold),
        ]

        #expect(isos.modifying(1) { $0 += 1 } == 2)
        #expect(lenses.allSatisfy { $0.modifying(1) { $0 += 1 } == 2 })
        #expect(prisms.allSatisfy { $0.modifying(1) { $0 += 1 } == 2 && $0.embed(3) == 3 })
        #expect(affines.allSatisfy { $0.modifying(1) { $0 += 1 } == 2 })
        #expect(traversals.allSatisfy { $0.modifying(1) { $0 += 1 } == 2 && $0.getAll(1) == [1] })
        #expect(folds.allSatisfy { $0.getAll(1) == [1] })
    }

    /// Each row and column of the table for folds, with parts that show the direction and the order.
    @Test func aFoldComposesInBothDirections() {
        let tags = Fold(\Row.tags).each
        let rows = Fold(\App.rows).each
        let row = Row(id: 1, name: "Ann", tags: [1, 2])
        let two = App(rows: [row, Row(id: 3, tags: [4])], user: row)

        let before = [
            Optic.pair.reversed.appending(tags).getAll(Optic.pair.get(row)), Optic.loaded.appending(tags).getAll(.idle),
            Optic.loaded.appending(tags).getAll(.loaded(row)), Lens(\App.user).some().appending(tags).getAll(two),
            Lens<Row, Row>.identity.appending(tags).getAll(row), Lens(\App.rows).each.appending(tags).getAll(two),
        ]
        let after = [
            rows.appending(Optic.pair).appending(Lens(\Pair.left)).getAll(two), rows.id.getAll(two),
            rows.appending(Optic.pair).appending(Optic.ends).getAll(two),
            rows.appending(Affine<Row, Int>(extract: { $0.tags.last }, set: { row, _ in row })).getAll(two),
            Fold(\App.screen).appending(Optic.loaded).appending(tags).getAll(app), rows.tags.each.getAll(two),
        ]
        #expect(before == [[1, 2], [], [1, 2], [1, 2], [1, 2], [1, 2, 4]])
        #expect(after == [[1, 3], [1, 3], [1, 1, 2, 3, 4], [2, 4], [1, 2], [1, 2, 4]])
    }

    /// Without a type that says otherwise, a composition without a fold is not a fold, and can be updated.
    @Test func theMostSpecificCompositionIsInferred() {
        let members = Lens(\App.rows).each
        var changed = app
        members.appending(Lens(\.name)).appending(Iso<String, String>.identity).set(&changed, "Zoe")
        Optic.user.appending(Prism.some).appending(Lens(\.id)).set(&changed, 3)
        #expect(changed.rows.map(\.name) == ["Zoe"])
    }

    @Test func theSecondAffineIsUsedIfTheFirstDoesNotMatch() {
        let number = Optic.nested.appending(
            Prism(Screen.Inner.number) { if case .number(let number) = $0 { number } else { nil } })
        let either = Optic.loading.orElse(number)
        let all = either.orElse(Optic.loaded.id)

        #expect(either.extract(.loading(1)) == 1 && either.extract(.nested(.number(2))) == 2)
        #expect(either.extract(.nested(.text("3"))) == nil && either.extract(.idle) == nil)
        #expect(either.setting(.loading(1), 5) == .loading(5) && either.setting(.idle, 5) == .idle)
        #expect(all.setting(.loaded(Row(id: 1)), 5) == .loaded(Row(id: 5)))
        #expect(all.setting(.nested(.number(2)), 5) == .nested(.number(5)))
    }

    @Test func anElementOfATupleIsAPart() {
        let first = Lens<(Int, String), Int>(\.0)
        var pair = (1, "a")
        first.set(&pair, 2)
        #expect(pair == (2, "a") && first.get(pair) == 2)
    }

    @Test func anErrorOfAChangeIsThrown() {
        let number = Optic.loading.orElse(Optic.loaded.id)
        var screen = Screen.loaded(Row(id: 1))
        #expect(throws: Refusal()) {
            try number.modify(&screen) { (part: inout Int) throws(Refusal) in
                part = 2
                throw Refusal()
            }
        }
        #expect(screen == .loaded(Row(id: 2)))
    }

    @Test func orElseDistinguishesAnAbsentPartFromOneThatIsNil() {
        let first = Affine<[Int?], Int?>.index(0)
        let either = first.orElse(Affine<[Int?], Int?>.index(1))
        #expect(either.extract([nil, 2]) == .some(nil))
        #expect(either.setting([nil, 2], 3) == [3, 2])
        #expect(first.orElse(first).setting([], 3) == [])
    }

    @Test func aComposedLensAndPrismEqualsApplyingBoth() async {
        let affine = Optic.screen.appending(Optic.loaded)
        await forAll(App.gen, Row.gen) { app, row in
            let byHand = Optic.screen.setting(app, Optic.loaded.setting(Optic.screen.get(app), row))
            #expect(affine.extract(app) == Optic.loaded.extract(Optic.screen.get(app)))
            #expect(affine.setting(app, row) == byHand)
        }
    }

    @Test func lensesComposeLikeTheirFunctionsAlsoWithTheIdentity() async {
        await expectComposition(Optic.pair.asLens, Lens(\Pair.name))
        await expectComposition(Lens<App, App>.identity, Optic.count)
        await expectComposition(Optic.count, Lens<Int, Int>.identity)
    }

    private func expectComposition<Whole: Arbitrary, Middle: Sendable, Part: Arbitrary>(
        _ outer: Lens<Whole, Middle>, _ inner: Lens<Middle, Part>
    ) async {
        let composed = outer.appending(inner)
        await forAll(Whole.gen, Part.gen) { whole, part in
            #expect(composed.get(whole) == inner.get(outer.get(whole)))
            #expect(composed.setting(whole, part) == outer.setting(whole, inner.setting(outer.get(whole), part)))
        }
    }

    /// A lens does not have the operations of other kinds of optics, although it conforms to their protocols.
    @Test func membersNamedLikeOperationsOfOtherKindsAreReachedByName() {
        let lens = Lens<Scores, Scores>.identity
        let affine = lens.asAffine
        let scores = Scores(matches: [1], extract: 2, embed: 3, first: 4, count: 5, isEmpty: true, get: 6)

        #expect(lens.matches.each.getAll(scores) == [1])
        #expect([lens.extract, lens.embed, lens.first, lens.count].map { $0.get(scores) } == [2, 3, 4, 5])
        #expect([affine.embed, affine.first, affine.count, affine.get].map { $0.extract(scores) } == [3, 4, 5, 6])
        #expect(lens.isEmpty.get(scores))
    }

    @Test func theResultOfAChangeKeepsItsTypeWhereAnOptionalIsExpected() {
        var number = 1
        let lens = Lens<Int, Int>.identity
        let iso = Iso<Int, Int>.identity
        let isChanged: Int? = lens.modify(&number) {
            $0 += 1
            return $0
        }
        let results = [lens.modify(&number) { $0 }, iso.modify(&number) { $0 }]
        let setters: [(Int, Int) -> Int] = [lens.setting, iso.setting, lens.asAffine.setting, iso.asPrism.setting]

        lens.set(&number, 3)
        iso.set(&number, 4)
        #expect(isChanged == 2 && results == [2, 2] && number == 4)
        #expect(setters.allSatisfy { $0(1, 7) == 7 })
    }

    @Test func aFunctionMayTakeAnyOpticWithAtMostOnePart() {
        func read<Part>(_ optic: some AffineProtocol<App, Part>) -> Part? { optic.asAffine.extract(app) }
        func readAll<Part>(_ optic: some TraversalProtocol<App, Part>) -> [Part] { optic.asTraversal.getAll(app) }

        #expect(read(whole.title) == "Home")
        #expect(read(Optic.screen.appending(Optic.loading)) == nil)
        #expect(readAll(whole.title) == ["Home"])
        #expect(readAll(whole.rows.each) == app.rows)
    }

    @Test func aTraversalStopsAtItsFirstAnswer() {
        let visited = Guarded(0)
        let counting = Traversal<[Int], Int>(
            visit: { numbers, visit in
                for number in numbers {
                    visited.withLock { $0 += 1 }
                    guard visit(number) else { return }
                }
            },
            modify: { _, _ in }
        )
        let nested = Traversal<[[Int]], [Int]>.each.appending(counting)

        #expect(nested.first([[], [1, 2], [3]]) == 1)
        #expect(visited.value == 1)
        #expect(nested.contains([[1, 2], [3]]) { $0 == 2 })
        #expect(visited.value == 3)
    }
}

private struct Scores {
    var matches: [Int], extract: Int, embed: Int, first: Int, count: Int, isEmpty: Bool, get: Int
}
