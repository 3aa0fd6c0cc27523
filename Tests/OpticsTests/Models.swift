import Optics
import PropertyTesting

struct App: Arbitrary {
    var title = ""
    var count = 0
    var screen = Screen.idle
    var rows: [Row] = []
    var ages: [String: Int] = [:]
    var user: Row?

    static let gen = Gen.zip(String.gen, Int.gen, Screen.gen, [Row].gen, [String: Int].gen, Row?.gen).map {
        App(title: $0, count: $1, screen: $2, rows: $3, ages: $4, user: $5)
    }
}

struct Row: Arbitrary, Identifiable {
    var id = 0
    var name = ""
    var tags: [Int] = []

    static let gen = Gen.zip(Int.gen, String.gen, [Int].gen).map { Row(id: $0, name: $1, tags: $2) }
}

enum Screen: Arbitrary {
    case idle
    case loading(Int)
    case loaded(Row)
    case nested(Inner)

    enum Inner: Arbitrary {
        case text(String)
        case number(Int)

        static let gen = Gen.oneOf(String.gen.map(Inner.text), Int.gen.map(Inner.number))
    }

    static let gen = Gen.oneOf(
        Gen.always(Screen.idle), Int.gen.map(Screen.loading), Row.gen.map(Screen.loaded), Inner.gen.map(Screen.nested))
}

enum Optic {
    static let title = Lens(\App.title)
    static let screen = Lens(\App.screen)
    static let rows = Lens(\App.rows)
    static let user = Lens(\App.user)
    static let ages = Lens(\App.ages)
    static let count = Lens<App, Int>(
        get: { $0.count },
        set: { app, count in
            var app = app
            app.count = count
            return app
        }
    )
    static let loading = Prism(Screen.loading) { if case .loading(let count) = $0 { count } else { nil } }
    static let loaded = Prism(Screen.loaded) { if case .loaded(let row) = $0 { row } else { nil } }
    static let nested = Prism(Screen.nested) { if case .nested(let inner) = $0 { inner } else { nil } }
    static let text = Prism(Screen.Inner.text) { if case .text(let text) = $0 { text } else { nil } }
    static let negated = Iso<Int, Int>(get: { -$0 }, reverseGet: { -$0 })
    static let pair = Iso<Row, Pair>(
        get: { Pair(left: $0.id, name: $0.name, tags: $0.tags) },
        reverseGet: { Row(id: $0.left, name: $0.name, tags: $0.tags) }
    )
    static let ends = Traversal<Pair, Int>(
        visit: { pair, visit in
            guard visit(pair.left) else { return }
            for tag in pair.tags { guard visit(tag) else { return } }
        },
        modify: { pair, change in
            change(&pair.left)
            for index in pair.tags.indices { change(&pair.tags[index]) }
        }
    )
}

struct Pair: Arbitrary {
    var left: Int
    var name: String
    var tags: [Int]

    static let gen = Gen.zip(Int.gen, String.gen, [Int].gen).map { Pair(left: $0, name: $1, tags: $2) }
}
