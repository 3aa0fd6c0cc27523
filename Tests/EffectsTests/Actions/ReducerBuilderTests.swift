import Effects
import FunctionalCore
import Optics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReducerBuilderTests {
    private struct Game: Sendable, Equatable {
        var home = 0
        var log = ""
    }
    private struct Scored: Action { var points: Int }

    @Sendable private static func doubled(_ game: Game, _ action: any Action) -> Game {
        Game(home: game.home * 2, log: game.log + "doubled ")
    }

    private static func wrote(_ text: String) -> ReducerFn<Game> {
        { game, _ in game.log += text + " " }
    }

    private static func result(of reduce: ReducerFn<Game>) -> Game {
        var game = Game(home: 1)
        reduce(&game, Scored(points: 5))
        return game
    }

    @Test("The reducers of a block run in order, whether they change the state in place or return it")
    func order() {
        let reduce: ReducerFn<Game> = combine {
            { game, _ in game.log += "inline " }
            forKey(\.home, use: on(Scored.self) { home, scored in home += scored.points })
            Self.doubled
            Self.wrote("last")
        }
        #expect(Self.result(of: reduce) == Game(home: 12, log: "inline doubled last "))
    }

    @Test("A block without reducers changes nothing, and a block of one is that reducer")
    func fewReducers() {
        #expect(Self.result(of: combine {}) == Game(home: 1))
        #expect(Self.result(of: combine { Self.doubled }) == Game(home: 2, log: "doubled "))
    }

    @Test("Statements select and repeat reducers", arguments: [true, false])
    func statements(flag: Bool) {
        let reduce: ReducerFn<Game> = combine {
            if flag { Self.wrote("if") }
            if flag { Self.wrote("yes") } else { Self.wrote("no") }
            for name in ["a", "b"] { Self.wrote(name) }
            if #available(macOS 15, *) { Self.wrote("available") }
        }
        #expect(Self.result(of: reduce).log == (flag ? "if yes a b available " : "no a b available "))
    }

    @Test("A block equals the variadic function, and nested blocks equal flat ones")
    func equalsTheVariadicFunction() {
        let (a, b, c) = (Self.wrote("a"), reducer(Self.doubled), Self.wrote("c"))
        let flat = Self.result(of: combineReducers(a, b, c))
        let block: ReducerFn<Game> = combine {
            a
            b
            c
        }
        let nested: ReducerFn<Game> = combine {
            a
            combine {
                b
                c
            }
        }
        #expect(Self.result(of: block) == flat)
        #expect(Self.result(of: nested) == flat)
    }

    @Test("A block is evaluated once, when the reducer is created")
    func evaluatedOnce() {
        let evaluations = Log()
        func counted(_ reducer: @escaping ReducerFn<Game>) -> ReducerFn<Game> {
            evaluations.append("evaluated")
            return reducer
        }
        let reduce: ReducerFn<Game> = combine { counted(Self.wrote("a")) }
        _ = Self.result(of: reduce)
        _ = Self.result(of: reduce)
        #expect(evaluations.lines.count == 1)
    }
}
