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

    var count: Int? { if case .loading(let count) = self { count } else { nil } }

    static let gen = Gen.oneOf(Gen.always(Screen.idle), number.map(Screen.loading))
}

let number = Gen.int(in: -3...3)
let text = Gen.element(of: ["", "a", "b"])
let numbers = number.array(0...4)

/// Broken optics, and the laws that must notice them.
enum OpticMutants {
    static var all: [Mutant] { lenses + prisms + affines + isos + traversals + folds }

    static var lenses: [Mutant] {
        func mutant(
            _ name: String, _ laws: [LensLaw], counterexample: String? = nil, _ lens: Lens<Row, String>
        ) -> Mutant {
            Mutant("A lens \(name)", laws, counterexample: counterexample) {
                $0.property(of: lens, whole: Row.gen, part: text)
            }
        }
        func changing(_ change: @escaping @Sendable (inout Row, (inout String) -> Void) -> Void) -> Lens<Row, String> {
            Lens(get: { $0.name }, modify: change)
        }
        return [
            mutant(
                "ignores what is set", [.getWhatYouSet],
                counterexample: #"whole Row(id: 0, name: "", tags: []), part "a""#,
                Lens(get: { $0.name }, set: { row, _ in row })),
            mutant(
                "writes more than its part", [.setWhatYouGet, .changingNothingChangesNothing],
                changing { row, change in
                    change(&row.name)
                    row.id += 1
                }),
            mutant(
                "remembers what was set", [.theLastSetCounts],
                Lens(
                    get: { $0.name },
                    set: { row, name in
                        Row(id: row.id, name: name, tags: name == row.name ? row.tags : row.tags + [1])
                    })),
            mutant(
                "changes a copy", [.getWhatYouSet],
                changing { row, change in
                    var name = row.name
                    change(&name)
                    if name.isEmpty { row.name = name }
                }),
            mutant(
                "changes another part than it reads", [.theClosureRunsOnceAndItsErrorIsThrown, .twoChangesAreOne],
                changing { row, change in
                    row.name += "!"
                    change(&row.name)
                }),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                changing { [calls = Counter()] row, change in
                    row.id = calls.next()
                    change(&row.name)
                }),
            Mutant("A lens of a pair leaves the other element", [LensLaw.getWhatYouSet]) {
                $0.property(
                    of: Lens<(Row, Int), (String, Int)>(
                        get: { ($0.0.name, $0.1) },
                        set: { whole, part in (Row(id: whole.0.id, name: part.0, tags: whole.0.tags), whole.1) }),
                    whole: .zip(Row.gen, number), part: .zip(text, number), wholes: { $0 == $1 }, parts: { $0 == $1 })
            },
            Mutant("A lens changes what copies share", [LensLaw.copiesAreNotChanged]) {
                $0.property(
                    of: Lens<Counter, Int>(
                        get: { $0.number },
                        modify: { counter, change in
                            var number = counter.number
                            change(&number)
                            counter.next(adding: number - counter.number)
                        }),
                    whole: number.map { Counter($0) }, part: number,
                    wholes: { $0.number == $1.number }, parts: { $0 == $1 })
            },
        ]
    }

    static var prisms: [Mutant] {
        func mutant(_ name: String, _ laws: [PrismLaw], _ prism: Prism<Screen, Int>) -> Mutant {
            Mutant("A prism \(name)", laws) { $0.property(of: prism, whole: Screen.gen, part: number) }
        }
        /// Returns a prism whose changed count is transformed.
        func changing(_ transform: @escaping @Sendable (Int) -> Int) -> Prism<Screen, Int> {
            Prism(
                embed: Screen.loading, extract: { $0.count },
                modify: { screen, change in
                    guard var count = screen.count else { return }
                    change(&count)
                    screen = .loading(transform(count))
                })
        }
        return [
            mutant("embeds another", [.extractWhatYouEmbed], Prism(embed: { .loading($0 + 1) }, extract: { $0.count })),
            mutant("matches everything", [.embedWhatYouExtract], Prism(embed: Screen.loading) { $0.count ?? 0 }),
            mutant("matches nothing", [.extractWhatYouEmbed], Prism(embed: Screen.loading) { _ in nil }),
            mutant(
                "changes more than its part",
                [.changingNothingChangesNothing, .twoChangesAreOne, .changingIsExtractingAndEmbedding],
                changing { $0 + 1 }),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                changing { [calls = Counter()] count in count + calls.next() }),
            mutant(
                "matches every other time", [.theAnswersAgree],
                Prism(embed: Screen.loading) { [calls = Counter()] in calls.next() % 2 == 0 ? nil : $0.count }),
            mutant(
                "changes what it does not match", [.aMissIsLeftAloneAndTheClosureNotCalled],
                Prism(
                    embed: Screen.loading, extract: { $0.count },
                    modify: { screen, change in
                        var count = screen.count ?? 0
                        change(&count)
                        screen = .loading(count)
                    })),
        ]
    }

    static var affines: [Mutant] {
        func mutant(_ name: String, _ laws: [AffineLaw], _ affine: Affine<Row?, String>) -> Mutant {
            Mutant("An affine \(name)", laws) { $0.property(of: affine, whole: Row.gen.optional, part: text) }
        }
        func setting(_ set: @escaping @Sendable (Row, String) -> Row?) -> Affine<Row?, String> {
            Affine(extract: { $0?.name }, set: { row, name in row.flatMap { set($0, name) } })
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
                "changes more than its part", [.changingNothingChangesNothing, .twoChangesAreOne, .theErrorIsThrown],
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
                setting { [calls = Counter()] row, name in Row(id: calls.next(), name: name, tags: row.tags) }),
            mutant(
                "finds its part every other time", [.theAnswersAgree],
                Affine(
                    extract: { [calls = Counter()] row in calls.next() % 2 == 0 ? nil : row?.name },
                    set: { row, name in row.map { Row(id: $0.id, name: name, tags: $0.tags) } })),
            mutant("never sets", [.extractWhatYouSet], setting { row, _ in row }),
            mutant("drops what it sets", [.setWhatYouExtract], setting { _, _ in nil }),
            mutant(
                "remembers what was set", [.theLastSetCounts],
                setting { row, name in Row(id: row.id + name.count, name: name, tags: row.tags) }),
        ]
    }

    static var isos: [Mutant] {
        func mutant(
            _ name: String, _ laws: [IsoLaw], _ get: @escaping @Sendable (Int) -> Int,
            _ reverseGet: @escaping @Sendable (Int) -> Int
        ) -> Mutant {
            Mutant("An iso \(name)", laws) {
                $0.property(of: Iso(get: get, reverseGet: reverseGet), whole: number, part: number)
            }
        }
        return [
            mutant("loses the sign", [.thereFromBack], { abs($0) }, { $0 }),
            mutant("drifts", [.backFromThere, .changingNothingChangesNothing, .twoChangesAreOne], { $0 + 1 }, { $0 }),
            mutant(
                "counts its ways back", [.settingIsAConstantChange, .reversedTwiceIsTheSame], { $0 },
                { [calls = Counter()] in $0 + calls.next() }),
            mutant("rounds", [.backFromThere], { $0 / 2 }, { $0 * 2 }),
        ]
    }

    static var traversals: [Mutant] {
        func mutant(
            _ name: String, _ laws: [TraversalLaw],
            visit: @escaping @Sendable ([Int], (Int) -> Bool) -> Void = { visitAll($0, $1) },
            modify: @escaping @Sendable (inout [Int], (inout Int) -> Void) -> Void = { changeAll(&$0, $1) }
        ) -> Mutant {
            Mutant("A traversal \(name)", laws) {
                $0.property(of: Traversal(visit: visit, modify: modify), whole: numbers, part: number)
            }
        }
        return [
            mutant(
                "visits what satisfies a condition", [.readWhatYouChanged, .twoChangesAreOne],
                visit: { numbers, visit in visitAll(numbers.filter { $0 > 0 }, visit) },
                modify: { numbers, change in
                    for index in numbers.indices where numbers[index] > 0 { change(&numbers[index]) }
                }),
            mutant("counts its reads", [.theAnswersAgree], visit: countingReads()),
            mutant(
                "does not stop", [.aVisitEndsWhereItIsStopped],
                visit: { numbers, visit in for number in numbers { _ = visit(number) } }),
            mutant(
                "grows what it changes", [.settingTwiceIsSettingOnce, .changingNothingChangesNothing],
                modify: { numbers, change in
                    changeAll(&numbers, change)
                    numbers.append(0)
                }),
            mutant(
                "counts its changes", [.settingIsAConstantChange],
                modify: { [calls = Counter()] numbers, change in
                    changeAll(&numbers, change)
                    if !numbers.isEmpty { numbers[0] += calls.next() }
                }),
            mutant(
                "goes backwards", [.effectsRunInOrder, .anEffectfulChangeIsAChange],
                modify: { numbers, change in for index in numbers.indices.reversed() { change(&numbers[index]) } }),
            mutant(
                "visits the first twice", [.twoEffectsAreOne],
                modify: { numbers, change in
                    if !numbers.isEmpty { change(&numbers[0]) }
                    changeAll(&numbers, change)
                }),
            mutant(
                "leaves out the last",
                [.readWhatYouChanged, .anEffectThatFailsStopsThere, .anEffectfulChangeIsAChange],
                modify: { numbers, change in for index in numbers.indices.dropLast() { change(&numbers[index]) } }),
        ]
    }

    private static func countingReads() -> @Sendable ([Int], (Int) -> Bool) -> Void {
        { [calls = Counter()] numbers, visit in
            let count = calls.next()
            visitAll(numbers.map { $0 + count }, visit)
        }
    }

    static var folds: [Mutant] {
        func mutant(
            _ name: String, _ laws: [FoldLaw], _ visit: @escaping @Sendable ([Int], (Int) -> Bool) -> Void
        ) -> Mutant {
            Mutant("A fold \(name)", laws) { $0.property(of: Fold(visit: visit), whole: numbers, part: number) }
        }
        return [
            mutant(
                "counts its reads",
                [
                    .readingTwiceReadsTheSame, .theAnswersAgree, .foldMapCombinesAll, .filterSelectsParts,
                    .compositionIsFlatMap, .combiningConcatenates,
                ], countingReads()),
            mutant("does not stop", [.aVisitEndsWhereItIsStopped]) { numbers, visit in
                for number in numbers { _ = visit(number) }
            },
            mutant("stops one part late", [.aVisitEndsWhereItIsStopped]) { numbers, visit in
                var goesOn = true
                for number in numbers {
                    let wasStopped = !goesOn
                    goesOn = visit(number) && goesOn
                    if wasStopped { return }
                }
            },
            mutant("goes backwards every other time", [.readingTwiceReadsTheSame]) {
                [calls = Counter()] numbers, visit in
                visitAll(calls.next() % 2 == 0 ? numbers : numbers.reversed(), visit)
            },
        ]
    }
}

/// Visits all elements, as an optic without a fault does.
private func visitAll(_ numbers: [Int], _ visit: (Int) -> Bool) {
    for number in numbers { guard visit(number) else { return } }
}

/// Changes all elements, as an optic without a fault does.
private func changeAll(_ numbers: inout [Int], _ change: (inout Int) -> Void) {
    for index in numbers.indices { change(&numbers[index]) }
}
