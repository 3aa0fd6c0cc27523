import ArchitectureTesting
import Loop
import Testing

/// The exact messages of failing predicates.
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

    /// Has the same dump and the same description for every secret.
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

    @Test("116. A model that differs is shown line by line, expected and actual")
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

    @Test("116. A missing model and an unexpected model are shown")
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

    @Test("116. A missing effect is shown beside the most similar effect of its case")
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

    @Test("116. Each effect is shown beside at most one other, and the rest stand alone")
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

    @Test("116. If the order counts, the lists are compared in order")
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

    @Test("116. Unequal values with the same dump are reported as looking alike")
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
