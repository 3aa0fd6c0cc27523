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

/// Optics that are wrong, and the laws that are there to say so.
enum OpticMutants {
    static var all: [Mutant] { lenses + prisms + affines + isos + traversals }

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
                "drifts", [.backFromThere, .changingNothingChangesNothing], Iso(get: { $0 + 1 }, reverseGet: { $0 })),
            mutant("rounds", [.backFromThere], Iso(get: { $0 / 2 }, reverseGet: { $0 * 2 })),
        ]
    }

    static var traversals: [Mutant] {
        func all(_ numbers: [Int], _ visit: (Int) -> Bool) {
            for number in numbers { guard visit(number) else { return } }
        }
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
                "goes backwards", [.effectsRunInOrder],
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
                "leaves out the last", [.readWhatYouChanged],
                Traversal(
                    visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                    modify: { numbers, change in for index in numbers.indices.dropLast() { change(&numbers[index]) } })),
        ]
    }
}
