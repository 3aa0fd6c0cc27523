import ArchitectureTesting
import Loop
import Testing

/// What a failing predicate prints, to the letter.
@Suite(.timeLimit(.minutes(10))) struct FailureTextTests {
    private struct Model: Equatable {
        var name = "Ann"
        var age = 31
    }

    private enum Effect: Equatable {
        case load(id: Int)
        case save(Model)
        case quit
    }

    /// Equal or not, it always looks the same.
    struct Opaque: Equatable, CustomReflectable, CustomStringConvertible {
        var secret: Int
        var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
        var description: String { "opaque" }
    }

    private func text(
        _ predicate: AnswerPredicate<Model, Effect>, _ next: Next<Model, Effect>
    ) -> String? {
        predicate.failure(of: next)?.replacing("ArchitectureTestingTests.FailureTextTests.", with: "")
    }

    @Test("116. Another model is shown line by line: what was expected, and what came")
    func models() {
        #expect(
            text(hasModel(Model(age: 30)), .next(Model())) == """
                hasModel: the model differs (− expected, + got)
                  ▿ Model
                    - name: "Ann"
                −   - age: 30
                +   - age: 31
                """)
    }

    @Test("116. A missing model is shown, and one that should not be there")
    func presence() {
        #expect(
            text(hasModel(Model()), .noChange) == """
                hasModel: there is no model (− expected, + got)
                − ▿ Model
                −   - name: "Ann"
                −   - age: 31
                """)
        #expect(text(hasModel(), .noChange) == "hasModel: there is no model")
        #expect(
            text(hasNothing(), .next(Model(), effects: [.quit])) == """
                hasNothing: there is a model, or there are effects (− expected, + got)
                + the model:
                + ▿ Model
                +   - name: "Ann"
                +   - age: 31
                + the effects:
                + - Effect.quit
                """)
    }

    @Test("116. A missing effect is shown beside the one of its case that is most like it")
    func effectsOfOneCase() {
        #expect(
            text(
                hasEffects([.save(Model(age: 30))]),
                .dispatchEffects([.load(id: 1), .save(Model(name: "Bob", age: 7)), .save(Model())])
            ) == """
                hasEffects: effects are missing (− expected, + got)
                  ▿ Effect.save
                    ▿ save: Model
                      - name: "Ann"
                −     - age: 30
                +     - age: 31
                """)
    }

    @Test("116. Each effect is shown beside one other at most, and what is left stands alone")
    func effectsOfOtherCases() {
        #expect(
            text(
                hasOnlyEffects([.load(id: 1), .load(id: 2), .quit]), .dispatchEffects([.load(id: 3), .save(Model())]))
                    == """
                    hasOnlyEffects: the effects differ (− expected, + got)
                      ▿ Effect.load
                        ▿ load: (1 element)
                    −     - id: 1
                    +     - id: 3
                    − ▿ Effect.load
                    −   ▿ load: (1 element)
                    −     - id: 2
                    − - Effect.quit
                    + ▿ Effect.save
                    +   ▿ save: Model
                    +     - name: "Ann"
                    +     - age: 31
                    """)
    }

    @Test("116. Where the order counts, the lists are compared as they stand")
    func orderedEffects() {
        #expect(
            text(hasExactlyEffects([.quit, .load(id: 1)]), .dispatchEffects([.load(id: 1), .quit])) == """
                hasExactlyEffects: the effects differ, or their order does (− expected, + got)
                − - Effect.quit
                  ▿ Effect.load
                    ▿ load: (1 element)
                      - id: 1
                + - Effect.quit
                """)
    }

    @Test("116. Values that differ and look alike are said to")
    func opaqueValues() {
        let predicate: AnswerPredicate<Opaque, Never> = hasModel(Opaque(secret: 1))
        #expect(
            predicate.failure(of: .next(Opaque(secret: 2))) == """
                hasModel: the model differs (− expected, + got)
                  opaque
                  They are not equal, and look alike.
                """)
    }
}
