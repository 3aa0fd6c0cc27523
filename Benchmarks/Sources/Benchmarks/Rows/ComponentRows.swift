import Dispatcher
import FunctionalCore

private let section = "Dispatcher"

var componentRows: [Row] {
    [
        Row(section, "Component.send, pure", peer: "Bow Arch 396,459", isCounted: true) {
            let none = sending("no observer", observers: 0)
            return [
                .time("no observer", none, Baseline.lock()),
                .time("1 observer", sending("1 observer", observers: 1), none),
                .time("100 observers", sending("100 observers", observers: 100), none),
            ]
        },
        Row(section, "Component.send, pure, with an environment that reads the state") {
            let component = opaque(
                Component(initialState: 0, environment: { state in state }, dispatcher: counterThatCanRead))
            let work = Subject("reader", expecting: 499_500) {
                let before = component.state
                for index in 0..<1_000 { component.send(.add(opaque(index))) }
                return component.state &- before
            }
            return [.time("", work, sending("no reader", observers: 0))]
        },
        Row(section, "Component.send, an action that waits, to the end") {
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: waitingCounter))
            let work = Subject(waiting: "send", operations: 100, expecting: 5_050) {
                let before = component.state
                for index in 0..<100 { await component.send(.add(opaque(index))).finish() }
                return component.state &- before
            }
            return [
                .time("", work, Baseline.task())
                    .pending(goal: 5, "the send takes six to seven times as long as a task")
            ]
        },
        Row(section, "Component.send, 8 threads of 100,000, exact", peer: "loses updates") {
            [.time("", threads(8, sends: 100_000).onAllCores, threads(1, sends: 100_000).onAllCores).withoutBar]
        },
        Row(section, "observers, registered and cancelled, each") {
            let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
            func observers(_ count: Int) -> Subject {
                cancelling(count, { component.observe { use($0) } }, { $0.cancel() })
            }
            return [.time("4,000 against 500", observers(4_000), observers(500))]
        },
        Row(section, "1,000 observers of parts, none changes, each") {
            let alloc = Baseline.alloc()
            let properties = parts("observe") { component in component.observe(\.part) { use($0) } }
            let scopes = parts("scopes") { component in
                component.scope(state: \.part) { (input: PartInput) in input }.observe { use($0) }
            }
            return [
                .time("component.observe(\\.part)", properties, alloc),
                .time("component.scope(state: \\.part).observe", scopes, alloc),
            ]
        },
        Row(section, "chain of sends from within, each", isCounted: true) {
            let thousand = chain(of: 1_000)
            return [
                .time("1,000", thousand, Baseline.lock()),
                .time("1,000,000", chain(of: 1_000_000), thousand),
            ]
        },
        Row(section, "queued input, each", isCounted: true) {
            let plain = chain(of: 1_000)
            return [
                .time("without carried values", plain, Baseline.lock()),
                .time("with a carried value", chain(of: 1_000, carrying: .taskLocals(Carried.$id)), plain),
            ]
        },
        Row(section, "state with a 1,000,000-element array, one element changed", peer: "copies") {
            [
                .time("no observer", componentElements(1_000_000), componentElements(10)),
                .time(
                    "an observer of all of it", componentElements(1_000_000, isObserved: true),
                    componentElements(10, isObserved: true)),
            ]
        },
    ]
}

/// How often observers were called.
final class Tally: @unchecked Sendable {
    // Unchecked: the observers of a subject run on the thread that measures it.
    var count = 0
}

func sending(_ name: String, observers: Int) -> Subject {
    let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
    let seen = Tally()
    for _ in 0..<observers { component.observe { _ in seen.count &+= 1 } }
    return Subject(name, expecting: [499_500, 1_000 * observers]) {
        let before = [component.state, seen.count]
        for index in 0..<1_000 { component.send(.add(opaque(index))) }
        return [component.state &- before[0], seen.count &- before[1]]
    }
}

private let counterThatCanRead = StateDispatcher<@Sendable () -> Int, Int, CounterInput>.pure { input in
    switch input {
    case .add(let number): .update { $0 &+= number }
    }
}

let waitingCounter = CounterDispatcher.effectful { input in
    EnvIO { (_: Any) async in
        guard case .add(let number) = input else { return .update { _ in } }
        let sum = await next(number)
        return .update { $0 &+= sum }
    }
}

private enum Carried { @TaskLocal static var id = 0 }

/// An observer answers each change with another input, until there were `count` of them.
private func chain(of count: Int, carrying values: CarriedValues? = nil) -> Subject {
    let component = Component(initialState: 0, environment: (), carrying: values, dispatcher: counter)
    component.observe { [weak component] total in
        if total % count != 0 { component?.send(.add(1)) }
    }
    return Subject("chain of \(count)", operations: count) { component.send(.add(1)) }
        .checked { component.state % count == 0 }
}

private func threads(_ count: Int, sends: Int) -> Threads {
    let component = Component(initialState: 0, environment: (), dispatcher: counter)
    return Threads(count, sends: sends) {
        component.send(.add(1))
    } total: {
        try? await component.settled()
        return component.state
    }
}

// MARK: - Parts

struct Parts: Sendable {
    var part = 0
    var other = 0
}

enum PartInput: Sendable {
    case other
}

func makeParts() -> Component<Parts, PartInput> {
    Component(
        initialState: Parts(), environment: (),
        dispatcher: StateDispatcher<Any, Parts, PartInput>.pure { _ in .update { $0.other &+= 1 } }
    )
}

private func parts(_ name: String, _ observe: (Component<Parts, PartInput>) -> Void) -> Subject {
    let component = makeParts()
    for _ in 0..<1_000 { observe(component) }
    return Subject(name, expecting: 1) {
        let before = component.state.other
        component.send(.other)
        return component.state.other &- before
    }
}

// MARK: - A large state

private struct Elements: Sendable {
    var list: [Int]
}

func componentElements(_ count: Int, isObserved: Bool = false) -> Subject {
    let component = Component(
        initialState: Elements(list: [Int](repeating: 0, count: count)), environment: (),
        dispatcher: StateDispatcher<Any, Elements, Int>.pure { index in .update { $0.list[index] &+= 1 } }
    )
    if isObserved { component.observe { use($0.list.count) } }
    return Subject("\(count) elements", expecting: 1_000 / min(10, count)) {
        let before = component.state.list[0]
        for index in 0..<1_000 { component.send(opaque(index) % min(10, count)) }
        return component.state.list[0] &- before
    }
}
