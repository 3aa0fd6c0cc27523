import FunctionalArchitecture

struct Quiz: Equatable, Sendable, Mobius.Copyable {
    var score = 0
    var question: String?
}

enum QuizEvent: Equatable, Sendable {
    case answered(isRight: Bool)
    case next(Int)
    case loaded(String)
}

enum QuizEffect: Equatable, Sendable {
    case beep
    case load(Int)
}

var quizUpdate: Update<Quiz, QuizEvent, QuizEffect> {
    Update { quiz, event in
        switch event {
        case .answered(isRight: true):
            .next(quiz.copy { $0.score += 1 })
        case .answered(isRight: false):
            .dispatchEffects([.beep])
        case .next(let number):
            .next(
                quiz.copy { $0.question = nil },
                effects: [.load(number)])
        case .loaded(let question):
            .next(quiz.copy { $0.question = question })
        }
    }
}

struct Questions: Sendable {
    var load: @Sendable (Int) async throws -> String
    var beep: @Sendable () -> Void
}

func quizHandler(
    _ questions: Questions
) -> EffectRouter<QuizEffect, QuizEvent> {
    EffectRouter()
        .routeCase(QuizEffect.beep).to { questions.beep() }
        .routeCase(QuizEffect.load).policy(.latest)
        .toEvent { number in
            .loaded(try await questions.load(number))
        }
}
