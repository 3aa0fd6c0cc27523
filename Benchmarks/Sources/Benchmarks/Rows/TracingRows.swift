import Dispatcher
import Effects
import FunctionalCore
import Loop

private let section = "Tracing"

var tracingRows: [Row] {
    [
        Row(section, "Component.send, traced") {
            lines { sending($0, trace: $1) }
        },
        Row(section, "loop event, traced") {
            lines(against: handling("event", trace: nil)) { handling($0, trace: $1) }
        },
        Row(section, "Store.dispatch, traced") {
            lines(against: reducing("dispatch", trace: nil)) { reducing($0, trace: $1) }
        },
        Row(section, "state with a 100,000-element array, one element changed, traced") {
            func elements(_ count: Int, snapshots: Bool) -> Subject {
                // A snapshot of the large state takes almost a megabyte.
                changing(count, trace: Trace(to: TraceBuffer(capacity: 8), snapshots: snapshots))
            }
            let inPlace = elements(100_000, snapshots: false)
            return [
                .time("without snapshots", inPlace, elements(10, snapshots: false), atMost: 1.5),
                .time("without snapshots, against no trace", inPlace, changing(100_000, trace: nil), atMost: nil),
                .time("with snapshots", elements(100_000, snapshots: true), inPlace, atMost: nil),
            ]
        },
    ]
}

/// The lines of one front door. The bar is for what a `send` without a trace costs, also for the other front doors: they
/// do less than a component for each message.
private func lines(against untraced: Subject? = nil, _ traced: (String, Trace) -> Subject) -> [Line] {
    let send = sending("send", trace: nil)
    let buffered = traced("buffer", Trace(to: TraceBuffer()))
    let slim = traced("no snapshots", Trace(to: TraceBuffer(), snapshots: false))
    let lines: [Line] = [
        .time("into a buffer", buffered, send, atMost: 20),
        .time("into a buffer, without snapshots", slim, send, atMost: 20),
        .time("into a closure", traced("closure", Trace { use($0.id) }), send, atMost: 20),
    ]
    return untraced.map { lines + [.time("into a buffer, against no trace", buffered, $0, atMost: nil)] } ?? lines
}

// MARK: - A state of some hundred bytes

private struct Article: Sendable {
    var likes = 0
    var title = "Seeing what a program has done"
    var author = "A name of more than fifteen bytes"
    var tags = ["trace", "state", "cause"]
    var words = Array(0..<16)
}

private struct Like: Action {
    let count: Int
}

private func sending(_ name: String, trace: Trace?) -> Subject {
    let component = opaque(
        Component(
            initialState: Article(), environment: (), trace: trace,
            dispatcher: StateDispatcher<Any, Article, Int>.pure { count in .update { $0.likes &+= count } }))
    return Subject(name, expecting: 499_500) {
        let before = component.state.likes
        for index in 0..<1_000 { component.send(opaque(index)) }
        return component.state.likes &- before
    }
}

private func handling(_ name: String, trace: Trace?) -> Subject {
    let builder = Mobius.loop(
        update: Update<Article, Int, Never>(inPlace: { article, count in
            article.likes &+= count
            return []
        }),
        effectHandler: AnyConnectable<Never, Int> { _ in Connection(acceptClosure: { _ in }, disposeClosure: {}) })
    let loop = opaque((trace.map { builder.withTrace($0) } ?? builder).start(from: Article()))
    return Subject(name, expecting: 499_500) {
        let before = loop.latestModel.likes
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
        return loop.latestModel.likes &- before
    }
}

private func reducing(_ name: String, trace: Trace?) -> Subject {
    let store = opaque(
        Store(
            reducer: on(Like.self) { (article: inout Article, like) in article.likes &+= like.count },
            initialState: Article(), trace: trace))
    return Subject(name, expecting: 499_500) {
        let before = store.state.likes
        for index in 0..<1_000 { store.dispatch(action: Like(count: opaque(index))) }
        return store.state.likes &- before
    }
}

// MARK: - A large state

private func changing(_ count: Int, trace: Trace?) -> Subject {
    let component = Component(
        initialState: [Int](repeating: 0, count: count), environment: (), trace: trace,
        dispatcher: StateDispatcher<Any, [Int], Int>.pure { index in .update { $0[index] &+= 1 } })
    return Subject("\(count) elements", operations: 100, expecting: 10) {
        let before = component.state[0]
        for index in 0..<100 { component.send(opaque(index) % 10) }
        return component.state[0] &- before
    }
}
