import FunctionalLaws
import Optics
import PropertyTesting

struct Row: Equatable, Sendable {
    var id = 0
    var name = ""
    var tags: [Int] = []

    static let gen = Gen.zip(Gen.int(in: -3...3), Gen.element(of: ["", "a", "b"]), Gen.int(in: -3...3).array(0...4))
        .map { Row(id: $0, name: $1, tags: $2) }
}

enum Screen: Equatable, Sendable {
    case idle
    case loading(Int)

    static let gen = Gen.oneOf(Gen.always(Screen.idle), number.map(Screen.loading))
}

let number = Gen.int(in: -3...3)
let text = Gen.element(of: ["", "a", "b"])
let numbers = number.array(0...4)

/// Broken optics, and the laws that must catch them.
enum OpticMutants {
    static var all: [Mutant] { lenses + prisms + affines + isos + traversals + folds }

    static var lenses: [Mutant] {
        func mutant(
            _ name: String, _ caught: Set<LensLaw>, _ lens: Lens<Row, String>
        ) -> Mutant {
            Mutant("lens \(name)", caught) { $0.property(of: lens, whole: Row.gen, part: text) }
        }
        return [
            mutant("ignores what is set", [.getWhatYouSet], Lens(get: { $0.name }, set: { row, _ in row })),
            mutant(
                "writes more than its part", [.setWhatYouGet, .changingNothingChangesNothing],
                Lens(
                    get: { $0.name },
                    modify: { row, change in
                        change(&row.name)
                        row.id += 1
                    })),
            mutant(
                "remembers what was set", [.theLastSetCounts],
                Lens(
                    get: { $0.name },
                    set: { row, name in
                        Row(id: row.id, name: name, tags: name == row.name ? row.tags : row.tags + [1])
                    })),
            mutant(
                "changes a copy", [.getWhatYouSet],
                Lens(
                    get: { $0.name },
                    modify: { row, change in
                        var name = row.name
                        change(&name)
                        if name.isEmpty { row.name = name }
                    })),
            mutant(
                "changes another part than it reads",
                [.theClosureRunsOnceAndItsErrorIsThrown, .twoChangesAreOne],
                Lens(
                    get: { $0.name },
                    modify: { row, change in
                        row.name += "!"
                        change(&row.name)
                    })),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                Lens(
                    get: { $0.name },
                    modify: { [calls = ReducerMutants.Box(0)] row, change in
                        calls.add(1)
                        row.id = calls.number
                        change(&row.name)
                    })),
            Mutant("lens of a pair leaves the other element", [LensLaw.getWhatYouSet]) {
                $0.property(
                    of: Lens<(Row, Int), (String, Int)>(
                        get: { ($0.0.name, $0.1) },
                        set: { whole, part in (Row(id: whole.0.id, name: part.0, tags: whole.0.tags), whole.1) }),
                    whole: .zip(Row.gen, number), part: .zip(text, number), wholes: { $0 == $1 }, parts: { $0 == $1 })
            },
            Mutant("lens changes what copies share", [LensLaw.copiesAreNotChanged]) {
                $0.property(
                    of: Lens<ReducerMutants.Box, Int>(
                        get: { $0.number },
                        modify: { box, change in
                            var number = box.number
                            change(&number)
                            box.add(number - box.number)
                        }),
                    whole: number.map { ReducerMutants.Box($0) }, part: number,
                    wholes: { $0.number == $1.number }, parts: { $0 == $1 })
            },
        ]
    }

    static var prisms: [Mutant] {
        @Sendable func count(_ screen: Screen) -> Int? { if case .loading(let count) = screen { count } else { nil } }
        func mutant(_ name: String, _ caught: Set<PrismLaw>, _ prism: Prism<Screen, Int>) -> Mutant {
            Mutant("prism \(name)", caught) { $0.property(of: prism, whole: Screen.gen, part: number) }
        }
        return [
            mutant("embeds another", [.extractWhatYouEmbed], Prism(embed: { .loading($0 + 1) }, extract: count)),
            mutant("matches everything", [.embedWhatYouExtract], Prism(embed: Screen.loading) { count($0) ?? 0 }),
            mutant("matches nothing", [.extractWhatYouEmbed], Prism(embed: Screen.loading) { _ in nil }),
            mutant(
                "changes more than its part",
                [.changingNothingChangesNothing, .twoChangesAreOne, .changingIsExtractingAndEmbedding],
                Prism(
                    embed: Screen.loading, extract: count,
                    modify: { screen, change in
                        guard var number = count(screen) else { return }
                        change(&number)
                        screen = .loading(number + 1)
                    })),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                Prism(
                    embed: Screen.loading, extract: count,
                    modify: { [calls = ReducerMutants.Box(0)] screen, change in
                        guard var number = count(screen) else { return }
                        change(&number)
                        calls.add(1)
                        screen = .loading(number + calls.number)
                    })),
            mutant(
                "matches every other time", [.theAnswersAgree],
                Prism(embed: Screen.loading) { [calls = ReducerMutants.Box(0)] screen in
                    calls.add(1)
                    return calls.number % 2 == 0 ? nil : count(screen)
                }),
            mutant(
                "changes what it does not match", [.aMissIsLeftAloneAndTheClosureNotCalled],
                Prism(
                    embed: Screen.loading, extract: count,
                    modify: { screen, change in
                        var number = count(screen) ?? 0
                        change(&number)
                        screen = .loading(number)
                    })),
        ]
    }

    static var affines: [Mutant] {
        func mutant(_ name: String, _ caught: Set<AffineLaw>, _ affine: Affine<Row?, String>) -> Mutant {
            Mutant("affine \(name)", caught) { $0.property(of: affine, whole: Row.gen.optional, part: text) }
        }
        return [
            mutant(
                "inserts where nothing is", [.whereThereIsNoPartNothingHappens],
                Affine(
                    extract: { $0?.name },
                    modify: { row, change in
                        var present = row ?? Row()
                        change(&present.name)
                        row = present
                    })),
            mutant(
                "changes more than its part",
                [.changingNothingChangesNothing, .twoChangesAreOne, .theErrorIsThrown],
                Affine(
                    extract: { $0?.name },
                    modify: { row, change in
                        guard var present = row else { return }
                        change(&present.name)
                        present.id += 1
                        row = present
                    })),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                Affine(
                    extract: { $0?.name },
                    set: { [calls = ReducerMutants.Box(0)] row, name in
                        calls.add(1)
                        return row.map { Row(id: calls.number, name: name, tags: $0.tags) }
                    })),
            mutant(
                "finds its part every other time", [.theAnswersAgree],
                Affine(
                    extract: { [calls = ReducerMutants.Box(0)] row in
                        calls.add(1)
                        return calls.number % 2 == 0 ? nil : row?.name
                    },
                    set: { row, name in row.map { Row(id: $0.id, name: name, tags: $0.tags) } })),
            mutant("never sets", [.extractWhatYouSet], Affine(extract: { $0?.name }, set: { row, _ in row })),
            mutant("drops what it sets", [.setWhatYouExtract], Affine(extract: { $0?.name }, set: { _, _ in nil })),
            mutant(
                "remembers what was set", [.theLastSetCounts],
                Affine(
                    extract: { $0?.name },
                    set: { row, name in row.map { Row(id: $0.id + name.count, name: name, tags: $0.tags) } })),
        ]
    }

    static var isos: [Mutant] {
        func mutant(_ name: String, _ caught: Set<IsoLaw>, _ iso: Iso<Int, Int>) -> Mutant {
            Mutant("iso \(name)", caught) { $0.property(of: iso, whole: number, part: number) }
        }
        return [
            mutant("loses the sign", [.thereFromBack], Iso(get: { abs($0) }, reverseGet: { $0 })),
            mutant(
                "drifts", [.backFromThere, .changingNothingChangesNothing, .twoChangesAreOne],
                Iso(get: { $0 + 1 }, reverseGet: { $0 })),
            mutant(
                "counts its ways back", [.settingIsAConstantChange, .reversedTwiceIsTheSame],
                Iso(
                    get: { $0 },
                    reverseGet: { [calls = ReducerMutants.Box(0)] number in
                        calls.add(1)
                        return number + calls.number
                    })),
            mutant("rounds", [.backFromThere], Iso(get: { $0 / 2 }, reverseGet: { $0 * 2 })),
        ]
    }

    static var traversals: [Mutant] {
        func mutant(_ name: String, _ caught: Set<TraversalLaw>, _ traversal: Traversal<[Int], Int>) -> Mutant {
            Mutant("traversal \(name)", caught) { $0.property(of: traversal, whole: numbers, part: number) }
        }
        return [
            mutant(
                "visits what satisfies a condition", [.readWhatYouChanged, .twoChangesAreOne],
                Traversal(
                    visit: { numbers, visit in
                        for number in numbers where number > 0 { guard visit(number) else { return } }
                    },
                    modify: { numbers, change in
                        for index in numbers.indices where numbers[index] > 0 { change(&numbers[index]) }
                    })),
            mutant(
                "counts its reads", [.theAnswersAgree],
                Traversal(
                    visit: { [calls = ReducerMutants.Box(0)] numbers, visit in
                        calls.add(1)
                        for number in numbers { guard visit(number + calls.number) else { return } }
                    },
                    modify: { numbers, change in for index in numbers.indices { change(&numbers[index]) } })),
            mutant(
                "does not stop", [.aVisitEndsWhereItIsStopped],
                Traversal(
                    visit: { numbers, visit in for number in numbers { _ = visit(number) } },
                    modify: { numbers, change in for index in numbers.indices { change(&numbers[index]) } })),
            mutant(
                "grows what it changes", [.settingTwiceIsSettingOnce, .changingNothingChangesNothing],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { numbers, change in
                        for index in numbers.indices { change(&numbers[index]) }
                        numbers.append(0)
                    })),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { [calls = ReducerMutants.Box(0)] numbers, change in
                        for index in numbers.indices { change(&numbers[index]) }
                        calls.add(1)
                        if !numbers.isEmpty { numbers[0] += calls.number }
                    })),
            mutant(
                "goes backwards", [.effectsRunInOrder, .anEffectfulChangeIsAChange],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { numbers, change in for index in numbers.indices.reversed() { change(&numbers[index]) } })),
            mutant(
                "visits the first twice", [.twoEffectsAreOne],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { numbers, change in
                        if !numbers.isEmpty { change(&numbers[0]) }
                        for index in numbers.indices { change(&numbers[index]) }
                    })),
            mutant(
                "leaves out the last",
                [.readWhatYouChanged, .anEffectThatFailsStopsThere, .anEffectfulChangeIsAChange],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { numbers, change in for index in numbers.indices.dropLast() { change(&numbers[index]) } })),
        ]
    }

    static var folds: [Mutant] {
        func mutant(
            _ name: String, _ caught: Set<FoldLaw>, _ visit: @escaping @Sendable ([Int], (Int) -> Bool) -> Void
        ) -> Mutant {
            Mutant("fold \(name)", caught) { $0.property(of: Fold(visit: visit), whole: numbers, part: number) }
        }
        return [
            mutant(
                "counts its reads",
                [
                    .readingTwiceReadsTheSame, .theAnswersAgree, .foldMapCombinesAll, .filterSelectsParts,
                    .compositionIsFlatMap, .combiningConcatenates,
                ],
                { [calls = ReducerMutants.Box(0)] numbers, visit in
                    calls.add(1)
                    for number in numbers { guard visit(number + calls.number) else { return } }
                }),
            mutant(
                "does not stop", [.aVisitEndsWhereItIsStopped],
                { numbers, visit in for number in numbers { _ = visit(number) } }),
            mutant(
                "stops one part late", [.aVisitEndsWhereItIsStopped],
                { numbers, visit in
                    var goesOn = true
                    for number in numbers {
                        let wasStopped = !goesOn
                        goesOn = visit(number) && goesOn
                        if wasStopped { return }
                    }
                }),
            mutant(
                "goes backwards every other time", [.readingTwiceReadsTheSame],
                { [calls = ReducerMutants.Box(0)] numbers, visit in
                    calls.add(1)
                    for number in calls.number % 2 == 0 ? numbers : numbers.reversed() {
                        guard visit(number) else { return }
                    }
                }),
        ]
    }
}
