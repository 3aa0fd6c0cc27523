import ArchitectureTesting
import FunctionalArchitecture
import Testing
import VirtualTime
@testable import MyApp

@Test func aRightAnswerScores() {
    UpdateSpec(quizUpdate)
        .given(Quiz())
        .when(.answered(isRight: true))
        .then(
            assertThatNext(
                hasModel(Quiz(score: 1)), hasNoEffects()))
}

@Test func theNextQuestionIsLoaded() {
    UpdateSpec(quizUpdate)
        .given(Quiz(question: "1 + 1?"))
        .when(.next(2))
        .then(
            assertThatNext(
                hasModel(Quiz()), hasOnlyEffects([.load(2)])))
}
