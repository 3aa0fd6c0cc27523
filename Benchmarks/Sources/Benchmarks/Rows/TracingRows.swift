import Dispatcher
import Effects
import FunctionalCore
import Loop

private let section = "Tracing"

var tracingRows: [Row] {
    [
        Row(section, "Component.send, traced, against no trace", isCounted: true) { lines(sending) },
        Row(section, "loop event, traced, against no trace", isCounted: true) { lines(handling) },
        Row(section, "Store.dispatch, traced, against no trace", isCounted: true) { lines(reducing) },
        Row(section, "state with a 100,000-element array, one element changed, traced") {
            func elements(_ count: Int, snapshots: Bool) -> Subject {
                // A snapshot of the large state takes almost a megabyte.
                changing(count, trace: Trace(to: TraceBuffer(capacity: 8), snapshots: snapshots))
            }
            let inPlace = elements(100_000, snapshots: false)
            return [
                .time("without snapshots", inPlace, elements(10, snapshots: false)),
                .time("without snapshots, against no trace", inPlace, changing(100_000, trace: nil)),
                .time("with snapshots", elements(100_000, snapshots: true), inPlace),
            ]
        },
    ]
}

/// The lines of one front door, each against the same message without a trace.
private func lines(_ work: (String, Trace?) -> Subject) -> [Line] {
    let plain = work("no trace", nil)
    return [
        .time("into a buffer", work("buffer", Trace(to: TraceBuffer())), plain),
        .time(
            "into a buffer, without snapshots", work("no snapshots", Trace(to: TraceBuffer(), snapshots: false)), plain),
        .time("into a closure", work("closure", Trace { use($0.id) }), plain),
    ]
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

private func sending(_ name: String, _ trace: Trace?) -> Subject {
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

private func handling(_ name: String, _ trace: Trace?) -> Subject {
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

private func reducing(_ name: String, _ trace: Trace?) -> Subject {
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
