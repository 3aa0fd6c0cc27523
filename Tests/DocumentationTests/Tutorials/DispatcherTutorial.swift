// The code of the tutorial about dispatchers. `TutorialSource` explains the markers.

import ArchitectureTesting
import ArchitectureTracing
import Foundation
import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

//@file Phrase.swift
//@show import FunctionalArchitecture

struct Translator: Sendable {
    var translate: @Sendable (String) async throws -> String
}

struct Phrase: Equatable, Sendable {
    var text = ""
    //@from 2
    var translation: String?
    var isTranslating = false
    //@endfrom
    //@from 4
    var failure: String?
    //@endfrom
}

typealias PhraseDispatcher = StateDispatcher<
    Translator, Phrase, String
>

let typingPhrase = PhraseDispatcher.pure { text in
    .update { $0.text = text }
}
//@from 2

let translating = PhraseDispatcher.workflow { text in
    [
        .pure(.update { $0.isTranslating = true }),
        EnvIO { translator in
            let translation = try await translator.translate(text)
            return .update { phrase in
                phrase.translation = translation
                phrase.isTranslating = false
            }
        },
    ]
}
//@from 4
.handleError { error, _ in
    .update { phrase in
        phrase.failure = "\(error)"
        phrase.isTranslating = false
    }
}
//@endfrom
//@endfrom
//@from 3

func phrase(
    clock: some Clock<Duration> = .continuous
) -> PhraseDispatcher {
    let pause = Policy.debounce(
        for: .milliseconds(300), clock: clock)
    return .combine {
        typingPhrase
        translating.policy(pause)
    }
}
//@endfrom
//@endfile

@Suite("The tutorial about dispatchers", .timeLimit(.minutes(10)))
struct DispatcherTutorialTests {
    //@file PhraseTests.swift
    //@show import ArchitectureTesting
    //@show import FunctionalArchitecture
    //@show import Testing
    //@show import VirtualTime
    //@show @testable import MyApp

    @Test func typingChangesTheText() {
        let test = TestDriver(
            typingPhrase, state: Phrase(),
            environment: Translator { text in text })

        test.send("hello") { $0.text = "hello" }
        test.finish()
    }
    //@from 2

    @Test func aTranslationTakesAMoment() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let translator = Translator(
            translate: calls.stub("translate") { _ in
                try await time.clock.sleep(for: .seconds(1))
                return "hola"
            })
        let test = TestDriver(
            translating, state: Phrase(), environment: translator,
            time: time, calls: calls)

        let sent = test.send("hello") { $0.isTranslating = true }
        test.expectCall("translate", "hello")
        test.advance(by: .seconds(1))
        test.change(from: sent) { phrase in
            phrase.translation = "hola"
            phrase.isTranslating = false
        }
        test.finish()
    }
    //@endfrom
    //@from 3

    @Test func onlyTheLastTextIsTranslated() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let translator = Translator(
            translate: calls.stub("translate") { _ in "hola" })
        let test = TestDriver(
            phrase(clock: time.clock), state: Phrase(),
            environment: translator, time: time, calls: calls)

        test.send("hel") { $0.text = "hel" }
        test.advance(by: .milliseconds(200))
        let last = test.send("hello") { $0.text = "hello" }
        test.advance(by: .milliseconds(300))
        test.change(from: last) { $0.isTranslating = true }
        test.expectCall("translate", "hello")
        test.change(from: last) { phrase in
            phrase.translation = "hola"
            phrase.isTranslating = false
        }
        test.finish()
    }
    //@endfrom
    //@from 4

    @Test func aFailureIsShown() {
        struct Offline: Error {}
        let time = VirtualScheduler()
        let test = TestDriver(
            translating, state: Phrase(),
            environment: Translator { _ in throw Offline() },
            time: time)

        let sent = test.send("hello") { $0.isTranslating = true }
        test.change(from: sent) { phrase in
            phrase.failure = "Offline()"
            phrase.isTranslating = false
        }
        test.finish()
    }
    //@endfrom
    //@from 5

    @Test func aTraceShowsEachChange() {
        let time = VirtualScheduler()
        let events = TraceBuffer()
        let component = Component(
            initialState: Phrase(),
            environment: Translator { _ in "hola" },
            executor: time.executor,
            trace: Trace(to: events, clock: time.clock),
            dispatcher: phrase(clock: time.clock))

        component.send("hello")
        time.advance(by: .milliseconds(300))

        #expect(component.state.translation == "hola")
        let changes = events.all.filter { event in
            if case .changed = event.kind { true } else { false }
        }
        #expect(changes.count == 3)
    }
    //@endfrom
    //@endfile

    @Test func theProgramWritesItsTrace() async throws {
        let folder = try TraceFolder()
        func URL(filePath path: String) -> Foundation.URL { folder.file(path) }

        //@file main.swift
        //@from 5
        //@show import ArchitectureTracing
        //@show import Foundation
        //@show import FunctionalArchitecture

        let file = try JSONLinesFile(
            at: URL(filePath: "phrase.jsonl"))
        let component = Component(
            initialState: Phrase(),
            environment: Translator { text in text.uppercased() },
            trace: Trace(to: file),
            dispatcher: phrase())

        component.send("hello")
        try await component.settled()
        file.close()
        //@endfrom
        //@endfile

        #expect(component.state.translation == "HELLO")
        #expect(try folder.records(of: "phrase.jsonl").first?.kind == .created)
    }
}
