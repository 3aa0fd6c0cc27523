import FunctionalArchitecture

struct Quiz: Equatable, Sendable, Mobius.Copyable {
    var score = 0
}

enum QuizEvent: Equatable, Sendable {
    case answered(isRight: Bool)
}

enum QuizEffect: Equatable, Sendable {
    case beep
}

var quizUpdate: Update<Quiz, QuizEvent, QuizEffect> {
    Update { quiz, event in
        switch event {
        case .answered(isRight: true):
            .next(quiz.copy { $0.score += 1 })
        case .answered(isRight: false):
            .dispatchEffects([.beep])
        }
    }
}
