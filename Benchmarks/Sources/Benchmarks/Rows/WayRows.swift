import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics

private let section = "Ways to write it"

/// Each documented way to write a child, a row, a route and an effect. So a way that gets dearer is noticed.
///
/// The counts may differ by more than those of other rows: these ways look up metadata, in tables that depend on addresses.
var wayRows: [Row] {
    [
        Row(section, "a child", isCounted: true) {
            let lock = Baseline.lock()
            return [
                .time("key path and case", sending(.child(1), child), lock),
                .time("optional part", sending(.optional(1), optional), lock),
                .time("case of an enum", sending(.page(1), page), lock),
                .time("onChange", sending(.child(1), changing), lock),
            ]
        },
        Row(section, "a row, the last of 100", isCounted: true) {
            let lock = Baseline.lock()
            return [
                .time("forEach of Identifiable rows", sending(.row(99, 1), rows), lock),
                .time("forEach by another id", sending(.row(99, 1), rowsByKey), lock),
                .time("forEach by an optic", sending(.row(99, 1), rowsByOptic), lock),
            ]
        },
        Row(section, "a route", isCounted: true) {
            let lock = Baseline.lock()
            let route = EffectRouter<Many, Int>()
            return [
                .time("routeCase(_:).to", handling(route.routeCase(Many.c0).to { use($0) }), lock),
                .time(
                    "routeEffects(matching:).to",
                    handling(route.routeEffects(matching: Many.prism(for: Many.c0)).to { use($0) }), lock),
                .time(
                    "routeEffects(withParameters:).to",
                    handling(route.routeEffects(withParameters: number).to { use($0) }), lock),
                .time("toEvent", handling(route.routeCase(Many.c0).toEvent { _ in 0 }), lock),
                .time(
                    "to with a callback",
                    handling(
                        route.routeCase(Many.c0).to { number, callback in
                            callback.end()
                            return AnonymousDisposable {}
                        }), lock),
            ]
        },
        Row(section, "an effect", isCounted: true) {
            let lock = Baseline.lock()
            return [
                .time(
                    "ofType and map",
                    answering(
                        Effect { actions in
                            actions.ofType(Add.self).map { Answer(amount: $0.amount) }.eraseActionType()
                        }), lock),
                .time(
                    "compactMap",
                    answering(
                        Effect { actions in
                            actions.compactMap { ($0 as? Add).map { Answer(amount: $0.amount) } }.eraseActionType()
                        }), lock),
            ]
        },
    ]
}

// MARK: - Children and rows

private struct Item: Identifiable, Equatable, Sendable {
    let id: Int
    var sum = 0
}

private enum Page: AutoPrism, Equatable, Sendable {
    case item(Item)
}

private struct Parent: Sendable {
    var item = Item(id: 0)
    var optional: Item? = Item(id: 0)
    var page = Page.item(Item(id: 0))
    var rows = (0..<100).map { Item(id: $0) }
    var changes = 0

    var sum: Int {
        guard case .item(let item) = page else { return 0 }
        return self.item.sum &+ (optional?.sum ?? 0) &+ item.sum &+ rows[99].sum
    }
}

private enum ParentInput: AutoPrism, Sendable {
    case child(Int)
    case optional(Int)
    case page(Int)
    case row(Int, Int)
}

private let item = StateDispatcher<Void, Item, Int>.pure { number in .update { $0.sum &+= number } }
private let child = item.widen(transformState: \Parent.item, transformInput: ParentInput.prism(for: ParentInput.child))
private let optional = item.widen(
    transformState: Lens<Parent, Item?>(\.optional).appending(Prism<Item?, Item>.some),
    transformInput: ParentInput.prism(for: ParentInput.optional))
private let page = item.widen(
    transformState: Lens<Parent, Page>(\.page).appending(Page.prism(for: Page.item)),
    transformInput: ParentInput.prism(for: ParentInput.page))
private let changing = child.onChange(of: \.item.sum) { _, _ in .update { $0.changes &+= 1 } }
private let rows = item.forEach(state: \Parent.rows, input: ParentInput.prism(for: ParentInput.row))
private let rowsByKey = item.forEach(
    state: Lens<Parent, [Item]>(\.rows), id: \.id, input: ParentInput.prism(for: ParentInput.row))
private let rowsByOptic = item.forEach(
    state: Lens<Parent, [Item]>(\.rows), element: { Affine.element(id: $0) },
    input: ParentInput.prism(for: ParentInput.row))

private func sending(_ input: ParentInput, _ dispatcher: StateDispatcher<Void, Parent, ParentInput>) -> Subject {
    let component = opaque(Component(initialState: Parent(), environment: (), dispatcher: dispatcher))
    return Subject("send", expecting: 1_000) {
        let before = component.state.sum
        for _ in 0..<1_000 { component.send(opaque(input)) }
        return component.state.sum &- before
    }
}

// MARK: - Routes

private func handling(_ router: EffectRouter<Many, Int>) -> Subject {
    let loop = opaque(
        Mobius.loop(
            update: { (count: Int, added: Int) -> Next<Int, Many> in
                added == 0 ? .noChange : .next(count &+ added, effects: [.c0(added)])
            },
            effectHandler: router
        ).start(from: 0))
    return Subject("route", expecting: 1_000) {
        let before = loop.latestModel
        for _ in 0..<1_000 { loop.dispatchEvent(opaque(1)) }
        return loop.latestModel &- before
    }
}

// MARK: - Effects

private func answering(_ effect: Effect<Void>) -> Subject {
    let store = makeStore([effect])
    return Subject("effect", expecting: 1_000) {
        let before = store.state.count
        for _ in 0..<1_000 { store.dispatch(action: Add(amount: opaque(1))) }
        return store.state.count &- before
    }
}
