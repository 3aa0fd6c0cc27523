import Dispatcher
import FunctionalCore
import Optics

private let section = "Work of children"

/// What it costs to end work with its child. A row changes, or the list that contains it, while so many rows have work.
///
/// Not counted: they look up metadata, whose tables depend on addresses, so the counts differ by up to 8 % between builds.
var childRows: [Row] {
    [
        Row(section, "a change of the first of 1,000 rows") {
            let none = changing("no work", .row(0, .add(1)), works: 0)
            return [
                .time("no work", none, changing("the parent", .parent(1), works: 0)),
                .time("work of 1 row", changing("1 work", .row(0, .add(1)), works: 1), none),
                .time("work of 1,000 rows", changing("1,000 works", .row(0, .add(1)), works: 1_000), none),
            ]
        },
        Row(section, "a change of the parent of 1,000 rows") {
            let none = changing("no work", .parent(1), works: 0)
            return [
                .time("no work", none, Baseline.lock()),
                .time("work of 1 row", changing("1 work", .parent(1), works: 1), none),
                .time("work of 1,000 rows", changing("1,000 works", .parent(1), works: 1_000), none),
            ]
        },
    ]
}

private struct Item: Identifiable, Sendable {
    let id: Int
    var sum = 0
}

private struct Items: Sendable {
    var items = (0..<1_000).map { Item(id: $0) }
    var sum = 0
}

private enum ItemInput: AutoPrism, Sendable {
    case add(Int)
    case wait
}

private enum ItemsInput: AutoPrism, Sendable {
    case row(Int, ItemInput)
    case parent(Int)
}

private let item = StateDispatcher<Void, Item, ItemInput>.workflow { input in
    switch input {
    case .add(let number): [.pure(.update { $0.sum &+= number })]
    case .wait:
        [
            EnvIO { _ async in
                try? await Task.sleep(for: .seconds(1_000_000))
                return .pure(())
            }
        ]
    }
}

private let items = item.forEach(state: \Items.items, input: ItemsInput.prism(for: ItemsInput.row)).combine(
    .workflow { input in
        guard case .parent(let number) = input else { return [] }
        return [.pure(.update { $0.sum &+= number })]
    })

private func changing(_ name: String, _ input: ItemsInput, works: Int) -> Subject {
    let component = opaque(Component(initialState: Items(), environment: (), dispatcher: items))
    for id in 0..<works { component.send(.row(999 - id, .wait)) }
    return Subject(name, expecting: 1_000) {
        func sum() -> Int { component.state.sum &+ component.state.items[0].sum }
        let before = sum()
        for _ in 0..<1_000 { component.send(opaque(input)) }
        return sum() &- before
    }
}
