// The code of the tutorial about loops. `TutorialSource` explains the markers.

import ArchitectureTesting
import ArchitectureTracing
import Foundation
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

//@file Quiz.swift
//@show import FunctionalArchitecture

struct Quiz: Equatable, Sendable, Mobius.Copyable {
    var score = 0
    //@from 2
    var question: String?
    //@endfrom
    //@from 4
    var failure: String?
    //@endfrom
}

enum QuizEvent: Equatable, Sendable {
    case answered(isRight: Bool)
    //@from 2
    case next(Int)
    case loaded(String)
    //@endfrom
    //@from 4
    case failed(String)
    //@endfrom
}

enum QuizEffect: Equatable, Sendable {
    case beep
    //@from 2
    case load(Int)
    //@endfrom
}

var quizUpdate: Update<Quiz, QuizEvent, QuizEffect> {
    Update { quiz, event in
        switch event {
        case .answered(isRight: true):
            .next(quiz.copy { $0.score += 1 })
        case .answered(isRight: false):
            .dispatchEffects([.beep])
        //@from 2
        case .next(let number):
            .next(
                quiz.copy { $0.question = nil },
                effects: [.load(number)])
        case .loaded(let question):
            .next(quiz.copy { $0.question = question })
        //@endfrom
        //@from 4
        case .failed(let message):
            .next(quiz.copy { $0.failure = message })
        //@endfrom
        }
    }
}
//@from 3

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
            //@from 4
        } onError: { error, _ in
            .failed("\(error)")
            //@endfrom
        }
}
//@endfrom
//@endfile

@Suite("The tutorial about loops", .timeLimit(.minutes(10)))
struct LoopTutorialTests {
    //@file QuizTests.swift
    //@show import ArchitectureTesting
    //@show import FunctionalArchitecture
    //@show import Testing
    //@show import VirtualTime
    //@show @testable import MyApp

    @Test func aRightAnswerScores() {
        UpdateSpec(quizUpdate)
            .given(Quiz())
            .when(.answered(isRight: true))
            .then(
                assertThatNext(
                    hasModel(Quiz(score: 1)), hasNoEffects()))
    }
    //@from 2

    @Test func theNextQuestionIsLoaded() {
        UpdateSpec(quizUpdate)
            .given(Quiz(question: "1 + 1?"))
            .when(.next(2))
            .then(
                assertThatNext(
                    hasModel(Quiz()), hasOnlyEffects([.load(2)])))
    }
    //@endfrom
    //@from 3

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
    //@endfrom
    //@from 4

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
    //@endfrom
    //@from 5

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
    //@endfrom
    //@endfile

    @Test func theProgramWritesItsTrace() async throws {
        @Sendable func print(_ text: String) {}
        let folder = try TraceFolder()
        // Stands in for the type of this name.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func URL(filePath path: String) -> Foundation.URL { folder.file(path) }

        //@file main.swift
        //@from 5
        //@show import ArchitectureTracing
        //@show import Foundation
        //@show import FunctionalArchitecture

        let questions = Questions(
            load: { number in "What is \(number) + 1?" },
            beep: { print("beep") })
        let file = try JSONLinesFile(
            at: URL(filePath: "quiz.jsonl"))
        let loop = Mobius.loop(
            update: quizUpdate, effectHandler: quizHandler(questions)
        )
        .withTrace(Trace(to: file))
        .start(from: Quiz())

        loop.dispatchEvent(.next(1))
        try await loop.settled()
        file.close()
        //@endfrom
        //@endfile

        #expect(loop.latestModel.question == "What is 1 + 1?")
        #expect(try folder.records(of: "quiz.jsonl").first?.kind == .created)
    }
}
