import Dispatcher
import Foundation
import FunctionalCore

private let section = "Dispatcher"

var componentRows: [Row] {
    [
        Row(section, "Component.send, pure", original: "103,788") {
            let lock = Baseline.lock()
            let (one, ten) = (sending("1 observer", observers: 1), sending("10 observers", observers: 10))
            return [
                .time("no observer", sending("no observer", observers: 0), lock, atMost: 2),
                .time("1 observer", one, lock, atMost: 4),
                .time("each further observer", .each(of: 9, in: ten, over: one), Quantity(Baseline.alloc()), atMost: 1),
            ]
        },
        Row(section, "Component.send, threads", original: "loses updates, crashes") {
            let four = Threads(4, sends: 250_000)
            let (eight, one) = (Threads(8, sends: 25_000), Threads(1, sends: 200_000))
            return [
                .time("4 threads, 1,000,000 increments: exact", four.subject, Baseline.lock(), atMost: nil)
                    .exact { four.isExact },
                .time("8 threads, against one: wall time per send", eight.subject, one.subject, atMost: 20)
                    .exact { eight.isExact && one.isExact },
            ]
        },
        Row(section, "1,000 observers of scoped parts, none changes, each") {
            let alloc = Baseline.alloc()
            let properties = parts("observe") { component in component.observe(\.part) { use($0) } }
            let scopes = parts("scopes") { component in
                component.scope(state: \.part) { (input: PartInput) in input }.observe { use($0) }
            }
            return [
                .time("component.observe(\\.part)", properties, alloc, atMost: 1),
                .time("component.scope(state: \\.part).observe", scopes, alloc, atMost: 1),
            ]
        },
        Row(section, "chain of 1,000,000 sends from inside, each") {
            let component = Component(initialState: 0, environment: (), dispatcher: counter)
            component.observe { [weak component] count in
                if count % 1_000_000 != 0 { component?.send(.add(1)) }
            }
            let work = Subject("chain", operations: 1_000_000) { component.send(.add(1)) }
            return [.time("", work, Baseline.lock(), atMost: 8).exact { component.state % 1_000_000 == 0 }]
        },
        Row(section, "state with a 1,000,000-element array, one element changed", original: "copies") {
            [
                .time("no observer", elements(1_000_000), elements(10), atMost: 3),
                .time(
                    "an observer that is lent it", elements(1_000_000, isObserved: true),
                    elements(10, isObserved: true),
                    atMost: 3),
            ]
        },
    ]
}

private func sending(_ name: String, observers: Int) -> Subject {
    let component = opaque(Component(initialState: 0, environment: (), dispatcher: counter))
    for _ in 0..<observers { component.observe { use($0) } }
    return Subject(name) {
        for index in 0..<1_000 { component.send(.add(opaque(index))) }
    }
}

// MARK: - Threads

/// Threads that all send to one component, and whether every increment was counted.
private final class Threads: @unchecked Sendable {
    // Unchecked: each thread writes an element of its own, which is read after all have ended.
    private let count: Int
    private let sends: Int
    private let component = Component(initialState: 0, environment: (), dispatcher: counter)
    private var expected = 0
    private(set) var isExact = true

    init(_ count: Int, sends: Int) {
        self.count = count
        self.sends = sends
    }

    var subject: Subject {
        Subject(waiting: "\(count) thread\(count == 1 ? "" : "s")", operations: count * sends) { [self] in
            let sent = onThreads()
            for dispatched in sent { await dispatched.finish() }
            expected += count * sends
            if component.state != expected { isExact = false }
        }
    }

    private func onThreads() -> [Dispatched] {
        let last = UnsafeMutablePointer<Dispatched?>.allocate(capacity: count)
        defer { last.deallocate() }
        let address = UInt(bitPattern: last)
        let group = DispatchGroup()
        for index in 0..<count {
            (last + index).initialize(to: nil)
            group.enter()
            Thread { [component, sends] in
                var dispatched: Dispatched?
                for _ in 0..<sends { dispatched = component.send(.add(1)) }
                UnsafeMutablePointer<Dispatched?>(bitPattern: address)?[index] = dispatched
                group.leave()
            }.start()
        }
        group.wait()
        return (0..<count).compactMap { (last + $0).move() }
    }
}

// MARK: - Parts

private struct Parts: Sendable {
    var part = 0
    var other = 0
}

private enum PartInput: Sendable {
    case other
}

private typealias PartComponent = Component<Parts, PartInput>

private func parts(_ name: String, _ observe: (PartComponent) -> Void) -> Subject {
    let component = PartComponent(
        initialState: Parts(), environment: (),
        dispatcher: StateDispatcher<Any, Parts, PartInput>.pure { _ in .update { $0.other &+= 1 } }
    )
    for _ in 0..<1_000 { observe(component) }
    return Subject(name) { component.send(.other) }
}

// MARK: - A large state

private struct Elements: Sendable {
    var list: [Int]
}

private func elements(_ count: Int, isObserved: Bool = false) -> Subject {
    let component = Component(
        initialState: Elements(list: [Int](repeating: 0, count: count)), environment: (),
        dispatcher: StateDispatcher<Any, Elements, Int>.pure { index in .update { $0.list[index] &+= 1 } }
    )
    if isObserved { component.observe { use($0.list.count) } }
    return Subject("\(count) elements") {
        for index in 0..<1_000 { component.send(opaque(index) % 10) }
    }
}
