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

func questions(_ time: VirtualScheduler) -> Questions {
    Questions(
        load: { number in
            try await time.clock.sleep(for: .seconds(1))
            return "Question \(number)"
        },
        beep: {})
}

@Test func aNewerQuestionReplacesAnOlderOne() {
    let time = VirtualScheduler()
    let test = TestLoop(
        Mobius.loop(
            update: quizUpdate,
            effectHandler: quizHandler(questions(time))),
        from: Quiz(), time: time)

    test.send(.next(1))
    test.effects(.load(1))
    test.advance(by: .seconds(0.5))
    test.send(.next(2))
    test.effects(.load(2))
    test.advance(by: .seconds(1))
    test.receive(.loaded("Question 2")) {
        $0.question = "Question 2"
    }
    test.finish()
}

@Test func aFailureIsAnEvent() {
    struct Offline: Error {}
    let time = VirtualScheduler()
    let offline = Questions(
        load: { _ in throw Offline() }, beep: {})
    let test = TestLoop(
        Mobius.loop(
            update: quizUpdate,
            effectHandler: quizHandler(offline)),
        from: Quiz(), time: time)

    test.send(.next(1))
    test.effects(.load(1))
    test.receive(.failed("Offline()")) {
        $0.failure = "Offline()"
    }
    test.finish()
}

@Test func aTraceShowsEachEvent() throws {
    let time = VirtualScheduler()
    let events = TraceBuffer()
    let loop = Mobius.loop(
        update: quizUpdate,
        effectHandler: quizHandler(questions(time))
    )
    .withExecutor(time.executor)
    .withTrace(Trace(to: events, clock: time.clock))
    .start(from: Quiz())

    loop.dispatchEvent(.next(1))
    time.advance(by: .seconds(1))

    #expect(loop.latestModel.question == "Question 1")
    let received = events.all.filter { event in
        if case .received = event.kind { true } else { false }
    }
    #expect(received.count == 2)
}
