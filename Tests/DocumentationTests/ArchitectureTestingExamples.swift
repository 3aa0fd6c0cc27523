// The code of the page on ArchitectureTesting.

import ArchitectureTesting
import Loop
import Testing

private enum VoteEvent { case vote, saved }
private enum VoteEffect: Equatable { case save(Int) }

private let ballot = Update<Int, VoteEvent, VoteEffect> { votes, event in
    switch event {
    case .vote: .next(votes + 1, effects: [.save(votes + 1)])
    case .saved: .noChange
    }
}

private struct Saver: EffectHandler {
    func handle(_ votes: Int, _ callback: EffectCallback<VoteEvent>) -> any Disposable {
        callback.end(with: .saved)
        return EmptyDisposable()
    }
}

@Suite("The page on ArchitectureTesting")
struct ArchitectureTestingExampleTests {
    @Test func aVoteIsSaved() {
        UpdateSpec(ballot)
            .given(2)
            .when(.vote)
            .then(assertThatNext(hasModel(3), hasOnlyEffects([.save(3)])))
    }

    @Test func savingAnswers() {
        HandlerSpec.given(Saver()).when(3).expect(.saved).expectHandlings(.ended)
    }
}
