import FunctionalLaws
import Optics
import PropertyTesting
import TestSupport
import Testing

@Suite("Automatic prisms", .cases(200), .timeLimit(.minutes(10)))
struct AutoPrismTests {
    @Test(arguments: Shape.plain + Shape.managed + Shape.structured + Shape.padded)
    func prismsWorkForEveryShape(_ shape: Shape) {
        #expect(shape.problems() == [])
    }

    @Test(arguments: PrismLaw.allCases)
    func prismsSatisfyTheirLaws(_ law: PrismLaw) async {
        let loading = Screen.prism(for: Screen.loading)
        let loaded = Screen.prism(for: Screen.loaded)
        let text = Screen.prism(for: Screen.nested).appending(Screen.Inner.prism(for: Screen.Inner.text))

        await law.property(of: loading, whole: Screen.gen, part: Int.gen).check()
        await law.property(of: loaded, whole: Screen.gen, part: Row.gen).check()
        await law.property(of: text, whole: Screen.gen, part: String.gen).check()
    }

    @Test func aPayloadWithoutValuesNeverMatches() {
        let never = Nevers.prism(for: Nevers.never)

        #expect(!never.matches(.number(1)))
        #expect(!never.matches(.none))
        #expect(never.routing?.accepts(.none, tag: never.routing!.tag(of: .none)) == false)

        let pair = Impossible.prism(for: Impossible.pair)
        #expect(!pair.matches(.number(1)))
        #expect(!pair.matches(.none))
    }

    /// What no prism can refuse: a function does not show which cases it returns for other parts.
    @Test("The prism of a closure that mixes cases is of the case of its first part", arguments: [7, 1])
    func aClosureThatMixesCases(first: Int) {
        let prism = SameInt.prism(for: { $0 == 7 ? .b($0) : $0 == 1 ? .a($0) : .none })
        #expect(prism.extract(prism.embed(first)) == first)

        // Nothing is refused later, although these parts are not of the case.
        #expect([7, 1, 2].map { prism.extract(prism.embed($0)) } == [7, 1, 2].map { $0 == first ? $0 : nil })
        #expect(prism.matches(.a(5)) == (first == 1) && prism.matches(.b(5)) == (first == 7))

        // An update in place does not call the closure.
        var value = first == 7 ? SameInt.b(7) : .a(1)
        #expect(prism.set(&value, 2) && prism.extract(value) == 2)
    }

    @Test func anObjectIsExtractedByReferenceAndCanBeReplaced() {
        let node = Node()
        let prism = SameClass.prism(for: SameClass.middle)
        var value = SameClass.middle(node)

        #expect(prism.extract(value) === node)
        prism.modify(&value) { $0 = Node() }
        #expect(prism.extract(value) !== node)
    }

    @Test func aFunctionInAStructStillRuns() {
        let action = StructsOfFunctions.prism(for: StructsOfFunctions.action)
        #expect(action.extract(.action(Action { 42 }))?.run() == 42)
    }

    @Test func extractedAndReplacedObjectsAreReleased() {
        let census = Tracked.Counter()
        do {
            let prisms = [
                Owning.prism(for: Owning.first), Owning.prism(for: Owning.second), Owning.prism(for: Owning.boxed),
            ]
            let pair = Owning.prism(for: Owning.pair)
            var values: [Owning] = [
                .first(Tracked(census)), .second(Tracked(census)), .boxed(Tracked(census)),
                .pair(Tracked(census), Tracked(census)), .none,
            ]
            for _ in 0..<3 {
                for index in values.indices {
                    for prism in prisms {
                        _ = prism.extract(values[index])
                        _ = prism.embed(Tracked(census))
                        prism.modify(&values[index]) { $0 = Tracked(census) }
                        prism.set(&values[index], Tracked(census))
                    }
                    pair.modify(&values[index]) { $0.1 = Tracked(census) }
                    _ = pair.extract(values[index])
                }
            }
            #expect(census.count == 5)
        }
        #expect(census.count == 0)
    }

    @Test func anErrorInAChangeLeavesAValidValue() {
        let census = Tracked.Counter()
        do {
            for prism in [Owning.prism(for: Owning.first), Owning.prism(for: Owning.boxed)] {
                var value = prism.embed(Tracked(census))
                #expect(throws: Refusal()) {
                    try prism.modify(&value) { (part: inout Tracked) throws(Refusal) in
                        part = Tracked(census)
                        throw Refusal()
                    }
                }
                #expect(prism.matches(value))
            }
        }
        #expect(census.count == 0)
    }

    @Test func changesAreMadeInPlace() {
        func staysInPlace<Whole>(_ prism: Prism<Whole, [Int]>) -> Bool {
            var whole = prism.embed(Array(repeating: 0, count: 1_000))
            func address() -> UInt? {
                prism.modify(&whole) { numbers in
                    numbers[0] += 1
                    return numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
                }
            }
            _ = address()
            let before = address()
            return before != nil && before == address()
        }
        #expect(staysInPlace(Arrays.prism(for: Arrays.numbers)))
        #expect(staysInPlace(Boxes.prism(for: Boxes.numbers)))
        #expect(staysInPlace(Boxes.prism(for: Boxes.inner).appending(Arrays.prism(for: Arrays.numbers))))
    }

    /// Several tasks use each new prism concurrently for the first time.
    @Test func concurrentFirstUsesOfAPrismAgree() async {
        let values: [SameClass] = [.left(Node()), .middle(Node()), .right(Node())].map { $0 }
        let shared = SharedValues(values: values)
        for _ in 0..<200 {
            let prism = SameClass.prism(for: SameClass.middle)
            let right = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        shared.values.map(prism.matches) == [false, true, false] && prism.matches(prism.embed(Node()))
                    }
                }
                return await group.allSatisfy { $0 }
            }
            #expect(right)
        }
    }

    @Test func concurrentFirstUsesOfATypeAgree() async {
        let right = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let fresh = Generic<Race>.prism(for: Generic<Race>.value)
                    return fresh.extract(.value(Race(index: index)))?.index == index && !fresh.matches(.none)
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(right)
    }
}

private enum Impossible: AutoPrism {
    case pair((Never, Never))
    case number(Int)
    case none
}

private struct Race { var index: Int }

/// Unchecked: no thread writes to the values or to their objects after initialization.
private struct SharedValues: @unchecked Sendable {
    let values: [SameClass]
}

private enum Boxes: AutoPrism {
    indirect case numbers([Int])
    case inner(Arrays)
    case text(String)
}

private enum Owning: AutoPrism {
    case first(Tracked)
    case second(Tracked)
    indirect case boxed(Tracked)
    case pair(Tracked, Tracked)
    case none
}

extension Screen: AutoPrism {}
extension Screen.Inner: AutoPrism {}
