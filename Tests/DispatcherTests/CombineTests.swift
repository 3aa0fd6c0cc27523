import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing

private enum Number: AutoPrism, Sendable {
    case even(Int)
    case odd(Int)
}

private typealias Numbers = StateDispatcher<Void, [String], Number>

/// Returns a child that has one action for each input of one case. The action appends `name`.
private func child(_ name: Int) -> Numbers {
    StateDispatcher<Void, [String], Int>.pure { _ in .update { $0.append("\(name)") } }
        .widen(transformInput: Number.prism(for: name.isMultiple(of: 2) ? Number.even : Number.odd))
}

/// Returns the names of the children that have an action for an even number.
private func names(in dispatcher: Numbers) -> [String] {
    var names: [String] = []
    for action in dispatcher.on(.even(0)) { (try? action.runSync(()))?.run(&names) }
    return names
}

/// The ways to combine any number of children.
private enum Way: CaseIterable, Sendable {
    case combineAll, block, leftNested, rightNested

    func combine(_ children: [Numbers]) -> Numbers {
        switch self {
        case .combineAll: .combineAll(children)
        case .block: .combine { for child in children { child } }
        case .leftNested: children.reduce(.empty) { $0.combine($1) }
        case .rightNested: children.reversed().reduce(.empty) { $1.combine($0) }
        }
    }
}

@Suite("combine", .timeLimit(.minutes(10)))
struct CombineTests {
    @Test("Each way to combine asks the children in order", arguments: Way.allCases, 0...5)
    fileprivate func order(way: Way, count: Int) {
        let dispatcher = way.combine((0..<count).map(child))
        let expected = stride(from: 0, to: count, by: 2).map { "\($0)" }
        // The first use collects the parts, and the later ones use them.
        #expect(names(in: dispatcher) == expected)
        #expect(names(in: dispatcher) == expected)
    }

    @Test("Each way to combine, and the first input, cost linear time", .countsSteps, arguments: Way.allCases)
    fileprivate func cost(way: Way) {
        let exponent = growth(from: 100, to: 1_600) { count in
            let children = (0..<count).map(child)
            return steps { withExtendedLifetime(way.combine(children).on(.odd(1))) {} }
        }
        #expect(exponent < 1.2)
    }

    @Test(
        "Many combined dispatchers need no deep stack, whether they are used or not", arguments: Way.allCases,
        [true, false])
    fileprivate func stack(way: Way, isUsed: Bool) async {
        let count = await onSmallStack {
            let one = Numbers.pure { _ in .update { $0.append("") } }
            let dispatcher = way.combine(Array(repeating: one, count: manySteps))
            return isUsed ? dispatcher.on(.even(0)).count : manySteps
        }
        #expect(count == manySteps)
    }

    @Test("A dispatcher is the same before and after it is combined further", arguments: 0..<8)
    func sharing(order: Int) {
        let one = child(0).combine(child(2))
        let two = one.combine(child(4))
        let both = two.combine(one)
        let all = [(one, ["0", "2"]), (two, ["0", "2", "4"]), (both, ["0", "2", "4", "0", "2"])]
        // Which one is used first decides which of them has collected its parts when the next one does.
        for index in [order, order / 2, order / 4, 0, 1, 2] {
            let (dispatcher, expected) = all[index % 3]
            #expect(names(in: dispatcher) == expected)
        }
    }

    @Test("Dropping a combination does not change what it was combined from")
    func dropping() {
        let base = child(0).combine(child(2))
        for way in Way.allCases {
            _ = way.combine([base, child(4)])
            _ = way.combine([child(6), base, base])
        }
        #expect(names(in: base) == ["0", "2"])
    }

    @Test("Threads that use a combination for the first time at once all get its actions")
    func threads() async {
        for _ in 0..<50 {
            let half = Way.leftNested.combine((0..<20).map(child))
            let whole = half.combine(half)
            await withTaskGroup { group in
                for index in 0..<8 {
                    group.addTask { names(in: index.isMultiple(of: 2) ? half : whole).count }
                }
                #expect(await group.reduce(0, +) == 4 * (10 + 20))
            }
        }
    }
}
