import Optics
import TestSupport

struct App: Arbitrary {
    var title = ""
    var count = 0
    var screen = Screen.idle
    var rows: [Row] = []
    var ages: [String: Int] = [:]
    var user: Row?

    static func arbitrary(_ random: inout SeededGenerator) -> App {
        App(
            title: .arbitrary(&random),
            count: .arbitrary(&random),
            screen: .arbitrary(&random),
            rows: .arbitrary(&random),
            ages: .arbitrary(&random),
            user: .arbitrary(&random)
        )
    }
}

struct Row: Arbitrary, Identifiable {
    var id = 0
    var name = ""
    var tags: [Int] = []

    static func arbitrary(_ random: inout SeededGenerator) -> Row {
        Row(id: .arbitrary(&random), name: .arbitrary(&random), tags: .arbitrary(&random))
    }
}

enum Screen: Arbitrary {
    case idle
    case loading(Int)
    case loaded(Row)
    case nested(Inner)

    enum Inner: Arbitrary {
        case text(String)
        case number(Int)

        static func arbitrary(_ random: inout SeededGenerator) -> Inner {
            Bool.random(using: &random) ? .text(.arbitrary(&random)) : .number(.arbitrary(&random))
        }
    }

    static func arbitrary(_ random: inout SeededGenerator) -> Screen {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .idle
        case 1: .loading(.arbitrary(&random))
        case 2: .loaded(.arbitrary(&random))
        default: .nested(.arbitrary(&random))
        }
    }
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

    static func arbitrary(_ random: inout SeededGenerator) -> Pair {
        Pair(left: .arbitrary(&random), name: .arbitrary(&random), tags: .arbitrary(&random))
    }
}
