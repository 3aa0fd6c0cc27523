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
