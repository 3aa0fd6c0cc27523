import Optics
import Synchronization
import TestSupport
import Testing

private struct Route<Whole>: Sendable {
    let routing: CaseRouting<Whole>?
    let answer: @Sendable (Whole) -> String?

    init<Part>(_ prism: Prism<Whole, Part>, _ answer: @escaping @Sendable (Part) -> String) {
        routing = prism.routing
        self.answer = { prism.extract($0).map(answer) }
    }
}

private final class Handler<Whole>: Sendable {
    let routes: [Route<Whole>]
    private let tracked: Tracked

    init(_ routes: [Route<Whole>], _ counter: Tracked.Counter) {
        self.routes = routes
        tracked = Tracked(counter)
    }
}

@Suite("Learned routes", .timeLimit(.minutes(10)))
struct LearnedRoutesTests {
    private typealias Table<Whole> = LearnedRoutes<Whole, Handler<Whole>>

    private let alive = Tracked.Counter()
    /// The number of routes of each handler, in the order in which the handlers were made.
    private let made = Record<Int>()

    private func table<Whole>(_ routes: [Route<Whole>]) -> Table<Whole> {
        Table(routes, by: \.routing) { [made, alive] routes in
            made.append(routes.count)
            return Handler(routes, alive)
        }
    }

    private func answers<Whole>(of table: Table<Whole>, to whole: Whole) -> [String] {
        var answers: [String] = []
        table.withHandler(of: whole) { answers = $0.routes.compactMap { $0.answer(whole) } }
        return answers
    }

    @Test func threeHundredRoutesAreSearchedOncePerCase() {
        let table = table(Many.prisms.enumerated().map { index, prism in Route(prism) { "\(index) \($0)" } })
        for round in 1...3 {
            for (index, constructor) in Many.constructors.enumerated() {
                #expect(answers(of: table, to: constructor(round)) == ["\(index) \(round)"])
            }
            #expect(answers(of: table, to: .none) == [])
        }
        #expect(made.values == Array(repeating: 1, count: 300) + [0])
    }

    @Test func severalRoutesForOneCaseAndWithoutACaseAreInOrder() {
        let closure = Prism(Screen.loading) { if case .loading(let count) = $0 { count } else { nil } }
        let inner = Screen.prism(for: Screen.nested)
        let text = Screen.Inner.prism(for: Screen.Inner.text)
        let table = table([
            Route(Screen.prism(for: Screen.loading)) { "first \($0)" },
            Route(closure) { "closure \($0)" },
            Route(Screen.prism(for: Screen.loading)) { "second \($0)" },
            Route(inner.appending(text)) { "text \($0)" },
            Route(Screen.prism(for: Screen.idle)) { "idle" },
        ])

        #expect(answers(of: table, to: .loading(1)) == ["first 1", "closure 1", "second 1"])
        #expect(answers(of: table, to: .nested(.number(1))) == [])
        #expect(answers(of: table, to: .nested(.text("a"))) == ["text a"])
        #expect(answers(of: table, to: .idle) == ["idle"])
        #expect(answers(of: table, to: .loaded(Row())) == [])
        // A route without a case belongs to every case.
        #expect(made.values == [3, 2, 2, 1])
    }

    @Test func withoutCasesOneHandlerServesAllValues() {
        let table = table([
            Route(Prism<Int, Int>(embed: { $0 }, extract: { $0 > 0 ? $0 : nil })) { "positive \($0)" },
            Route(Prism<Int, Int>.identity.asPrism) { "any \($0)" },
        ])
        #expect(answers(of: table, to: 1) == ["positive 1", "any 1"])
        #expect(answers(of: table, to: -1) == ["any -1"])
        #expect(made.values == [2])
    }

    @Test func withoutRoutesTheHandlerIsEmpty() {
        #expect(answers(of: table([Route<Screen>]()), to: .idle) == [])
    }

    @Test func handlersLiveAsLongAsTheirTable() {
        do {
            let table = table(Many.prisms.map { prism in Route(prism) { "\($0)" } })
            for constructor in Many.constructors.prefix(10) { _ = answers(of: table, to: constructor(1)) }
            withExtendedLifetime(table) { #expect(alive.count == 10) }
        }
        #expect(alive.count == 0)
    }

    @Test func threadsThatLearnACaseAtOnceUseTheSameHandler() {
        final class Arrivals: Sendable { let count = Atomic(0) }
        let (arrivals, used) = (Arrivals(), Record<ObjectIdentifier>())
        do {
            let route = Route(Screen.prism(for: Screen.loading)) { "\($0)" }
            let table = Table([route], by: \.routing) { [alive] routes in
                // No thread can store its handler before each thread makes one.
                arrivals.count.add(1, ordering: .relaxed)
                while arrivals.count.load(ordering: .relaxed) < 4 {}
                return Handler(routes, alive)
            }
            // Unowned, because a thread may release its closure after this scope, and the table with it.
            onThreads(4) { [unowned table] _ in
                table.withHandler(of: .loading(1)) { used.append(ObjectIdentifier($0)) }
            }
            table.withHandler(of: .loading(2)) { used.append(ObjectIdentifier($0)) }
            withExtendedLifetime(table) { #expect(alive.count == 1) }
        }
        #expect(used.values.count == 5 && Set(used.values).count == 1)
        #expect(arrivals.count.load(ordering: .relaxed) == 4 && alive.count == 0)
    }

    @Test func lookupsOnSeveralThreadsAgree() {
        let table = table(Many.prisms.enumerated().map { index, prism in Route(prism) { "\(index) \($0)" } })
        let wrong = Record<Int>()
        onThreads(4) { thread in
            for (index, constructor) in Many.constructors.enumerated() {
                table.withHandler(of: constructor(thread)) { handler in
                    let answers = handler.routes.compactMap { $0.answer(constructor(thread)) }
                    if answers != ["\(index) \(thread)"] { wrong.append(index) }
                }
            }
        }
        #expect(wrong.values == [])
        withExtendedLifetime(table) { #expect(alive.count == 300) }
    }
}
