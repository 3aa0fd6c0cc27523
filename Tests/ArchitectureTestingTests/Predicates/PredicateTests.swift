import ArchitectureTesting
import Loop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PredicateTests {
    typealias Answer = Next<Int, String>
    typealias Asked = AnswerPredicate<Int, String>

    private func holds(_ predicate: Asked, of answer: Answer) -> Bool {
        predicate.failure(of: answer) == nil
    }

    @Test("115. hasNothing, hasNoModel and hasModel check the presence and value of the model")
    func models() {
        #expect(holds(hasNothing(), of: .noChange))
        #expect(!holds(hasNothing(), of: .next(1)))
        #expect(!holds(hasNothing(), of: .dispatchEffects(["a"])))

        #expect(holds(hasNoModel(), of: .dispatchEffects(["a"])))
        #expect(!holds(hasNoModel(), of: .next(1)))

        #expect(holds(hasModel(), of: .next(1)))
        #expect(!holds(hasModel(), of: .noChange))

        #expect(holds(hasModel(1), of: .next(1, effects: ["a"])))
        #expect(!holds(hasModel(1), of: .next(2)))
        #expect(!holds(hasModel(1), of: .noChange))
    }

    @Test("115. Predicates for effects require none, some, only these, or these in order")
    func effects() {
        let answer = Answer.dispatchEffects(["a", "b", "a"])
        #expect(holds(hasNoEffects(), of: .next(1)))
        #expect(!holds(hasNoEffects(), of: answer))

        #expect(holds(hasEffects(["b", "a"]), of: answer))
        #expect(holds(hasEffects([]), of: answer))
        #expect(!holds(hasEffects(["c"]), of: answer))

        #expect(holds(hasOnlyEffects(["b", "a", "a"]), of: answer))
        #expect(!holds(hasOnlyEffects(["a", "b"]), of: answer))
        #expect(!holds(hasOnlyEffects(["a", "a", "b", "c"]), of: answer))

        #expect(holds(hasExactlyEffects(["a", "b", "a"]), of: answer))
        #expect(!holds(hasExactlyEffects(["a", "a", "b"]), of: answer))
        #expect(!holds(hasExactlyEffects(["a", "b"]), of: answer))
    }

    @Test("115. hasEffects and hasOnlyEffects count repeated effects")
    func effectsAreCounted() {
        #expect(!holds(hasEffects(["a", "a"]), of: .dispatchEffects(["a", "b"])))
        #expect(!holds(hasOnlyEffects(["a", "a"]), of: .dispatchEffects(["a"])))
        #expect(!holds(hasOnlyEffects(["a"]), of: .dispatchEffects(["a", "a"])))
    }

    @Test("115. The predicates also apply to a First, which always has a model")
    func firsts() {
        let first = First(model: 1, effects: ["a"])
        #expect(Asked.failure(hasModel(1))(first) == nil)
        #expect(Asked.failure(hasEffects(["a"]))(first) == nil)
        #expect(Asked.failure(hasNoModel())(first) != nil)
        #expect(Asked.failure(hasNoEffects())(first) != nil)
    }

    @Test("115. Every failing predicate records an issue at the caller's line, and no other does")
    func allFailuresAreReported() {
        let issues = Record<Issue>()
        let line = #line + 3
        withKnownIssue {
            UpdateSpec<Int, Int, String> { .next($0 + $1) }.given(1).when(2)
                .then(assertThatNext(hasModel(1), hasModel(), hasEffects(["a"])))
        } matching: {
            issues.append($0)
            return true
        }
        #expect(issues.values.map { $0.sourceLocation?.line } == [line, line])
        #expect(issues.values.map { $0.sourceLocation?.fileName } == ["PredicateTests.swift", "PredicateTests.swift"])
        #expect(issues.values.map { $0.comments.first?.rawValue.prefix { $0 != ":" } } == ["hasModel", "hasEffects"])
    }

    @Test("115. A failing predicate of a First records an issue at the caller's line")
    func failuresOfFirstsAreReported() {
        let spec = InitSpec<Int, String> { First(model: $0) }.when(1)
        on { spec.then(assertThatFirst(hasModel(1), hasEffects(["a"]))) }.are(
            """
            hasEffects: effects are missing (− expected, + got)
            − - "a"
            """)
    }
}

extension AnswerPredicate {
    fileprivate static func failure(_ predicate: AnswerPredicate) -> (First<Model, Effect>) -> String? {
        { predicate.failure(of: $0) }
    }
}
