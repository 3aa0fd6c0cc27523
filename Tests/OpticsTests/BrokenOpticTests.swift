import Optics
import Testing

/// The laws are worth something only if they are not kept by optics that are wrong.
@Suite("Broken optics break a law")
struct BrokenOpticTests {
    @Test func lenses() {
        let readsAnother = Lens<Row, String>(get: { $0.name }, set: { row, _ in row })
        let writesMore = Lens<Row, String>(
            get: { $0.name },
            modify: { row, change in
                change(&row.name)
                row.id += 1
            }
        )
        let roundsDown = Lens<Row, Int>(get: { $0.id }, set: { row, id in Row(id: id / 2 * 2, name: row.name) })
        let remembers = Lens<Row, Int>(
            get: { $0.tags.last ?? 0 },
            set: { row, tag in Row(id: row.id, name: row.name, tags: row.tags + [tag]) }
        )
        let writesElsewhere = Lens<Row, Int>(
            get: { $0.id },
            modify: { row, change in
                var id = row.id
                change(&id)
            }
        )
        #expect(LensLaw.broken(by: readsAnother).contains(.getWhatYouSet))
        #expect(LensLaw.broken(by: writesMore).contains(.setWhatYouGet))
        #expect(LensLaw.broken(by: roundsDown).contains(.changingNothingChangesNothing))
        #expect(LensLaw.broken(by: remembers).contains(.theLastSetCounts))
        #expect(LensLaw.broken(by: writesElsewhere).contains(.getWhatYouSet))
    }

    @Test func prisms() {
        let embedsAnother = Prism<Screen, Int>(
            embed: { .loading($0 + 1) },
            extract: { if case .loading(let count) = $0 { count } else { nil } }
        )
        let alwaysMatches = Prism<Screen, Int>(
            embed: Screen.loading,
            extract: { if case .loading(let count) = $0 { count } else { 0 } }
        )
        let neverMatches = Prism<Screen, Int>(embed: Screen.loading, extract: { _ in nil })
        let changesMore = Prism<Screen, Int>(
            embed: Screen.loading,
            extract: { if case .loading(let count) = $0 { count } else { nil } },
            modify: { screen, change in
                var count = if case .loading(let count) = screen { count } else { 0 }
                change(&count)
                screen = .loading(count)
            }
        )
        #expect(PrismLaw.broken(by: embedsAnother).contains(.extractWhatYouEmbed))
        #expect(PrismLaw.broken(by: alwaysMatches).contains(.embedWhatYouExtract))
        #expect(PrismLaw.broken(by: neverMatches).contains(.extractWhatYouEmbed))
        #expect(PrismLaw.broken(by: changesMore).contains(.aMissIsLeftAloneAndTheClosureNotCalled))
    }

    @Test func affines() {
        let insertsWhereAbsent = Affine<Row?, String>(
            extract: { $0?.name },
            modify: { row, change in
                var present = row ?? Row()
                change(&present.name)
                row = present
            }
        )
        let neverSets = Affine<Row?, String>(extract: { $0?.name }, set: { row, _ in row })
        let dropsWhatItSets = Affine<Row?, String>(extract: { $0?.name }, set: { _, _ in nil })
        let appends = Affine<[Int], Int>(extract: { $0.last }, set: { $0 + [$1] })
        #expect(AffineLaw.broken(by: insertsWhereAbsent).contains(.whereThereIsNoPartNothingHappens))
        #expect(AffineLaw.broken(by: neverSets).contains(.extractWhatYouSet))
        #expect(AffineLaw.broken(by: dropsWhatItSets).contains(.setWhatYouExtract))
        #expect(AffineLaw.broken(by: appends).contains(.theLastSetCounts))
    }

    @Test func isos() {
        let oneWay = Iso<Int, Int>(get: { abs($0) }, reverseGet: { $0 })
        let drifting = Iso<Int, Int>(get: { $0 + 1 }, reverseGet: { $0 })
        let constant = Iso<Row, Int>(get: { $0.id }, reverseGet: { Row(id: $0) })
        #expect(IsoLaw.broken(by: oneWay).contains(.thereFromBack))
        #expect(IsoLaw.broken(by: drifting).contains(.changingNothingChangesNothing))
        #expect(IsoLaw.broken(by: constant).contains(.backFromThere))
    }

    @Test func traversals() {
        let onlyPositive = Traversal<[Int], Int>(
            visit: { numbers, visit in for number in numbers where number > 0 { guard visit(number) else { return } } },
            modify: { numbers, change in
                for index in numbers.indices where numbers[index] > 0 { change(&numbers[index]) }
            }
        )
        let backwards = Traversal<[Int], Int>(
            visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
            modify: { numbers, change in for index in numbers.indices.reversed() { change(&numbers[index]) } }
        )
        let theFirstTwice = Traversal<[Int], Int>(
            visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
            modify: { numbers, change in
                if !numbers.isEmpty { change(&numbers[0]) }
                for index in numbers.indices { change(&numbers[index]) }
            }
        )
        let changesFewer = Traversal<[Int], Int>(
            visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
            modify: { numbers, change in for index in numbers.indices.dropLast() { change(&numbers[index]) } }
        )
        #expect(TraversalLaw.broken(by: onlyPositive).contains(.readWhatYouChanged))
        #expect(TraversalLaw.broken(by: onlyPositive).contains(.twoChangesAreOne))
        #expect(TraversalLaw.broken(by: backwards).contains(.effectsRunInOrder))
        #expect(TraversalLaw.broken(by: theFirstTwice).contains(.twoEffectsAreOne))
        #expect(TraversalLaw.broken(by: changesFewer).contains(.readWhatYouChanged))
    }
}

extension LensLaw {
    fileprivate static func broken<W: Arbitrary, P: Arbitrary>(by lens: Lens<W, P>) -> [LensLaw] {
        allCases.filter { law in !Sample.many.allSatisfy { law.holds(for: lens, $0) } }
    }
}

extension PrismLaw {
    fileprivate static func broken<W: Arbitrary, P: Arbitrary>(by prism: Prism<W, P>) -> [PrismLaw] {
        allCases.filter { law in !Sample.many.allSatisfy { law.holds(for: prism, $0) } }
    }
}

extension AffineLaw {
    fileprivate static func broken<W: Arbitrary, P: Arbitrary>(by affine: Affine<W, P>) -> [AffineLaw] {
        allCases.filter { law in !Sample.many.allSatisfy { law.holds(for: affine, $0) } }
    }
}

extension IsoLaw {
    fileprivate static func broken<W: Arbitrary, P: Arbitrary>(by iso: Iso<W, P>) -> [IsoLaw] {
        allCases.filter { law in !Sample.many.allSatisfy { law.holds(for: iso, $0) } }
    }
}

extension TraversalLaw {
    fileprivate static func broken<W: Arbitrary, P: Arbitrary>(by traversal: Traversal<W, P>) -> [TraversalLaw] {
        allCases.filter { law in !Sample.many.allSatisfy { law.holds(for: traversal, $0) } }
    }
}
