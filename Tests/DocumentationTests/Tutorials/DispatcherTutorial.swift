// The code of the tutorial about dispatchers. `TutorialSource` explains the markers.

import ArchitectureTesting
import ArchitectureTracing
import Dispatcher
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

//@file Phrase.swift
//@show import FunctionalArchitecture

struct Translator: Sendable {
    var translate: @Sendable (String) async throws -> String
    var clock: any Clock<Duration> = .continuous
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

var typingPhrase: PhraseDispatcher {
    .pure { text in
        .update { $0.text = text }
    }
}
//@from 2

var translating: PhraseDispatcher {
    .workflow { text in
        [
            .pure(
                .update { phrase in
                    phrase.isTranslating = true
                    //@from 4
                    phrase.failure = nil
                    //@endfrom
                }),
            EnvIO { translator in
                //@from 3
                try await translator.clock.sleep(for: .milliseconds(300))
                //@endfrom
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
}
//@endfrom
//@from 3

var phrase: PhraseDispatcher {
    .combine {
        typingPhrase
        translating.policy(.latest)
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
            },
            clock: time.clock)
        let test = TestDriver(
            translating, state: Phrase(), environment: translator,
            time: time, calls: calls)

        let sent = test.send("hello") { $0.isTranslating = true }
        //@from 3
        test.advance(by: .milliseconds(300))
        //@endfrom
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
            translate: calls.stub("translate") { _ in
                try await time.clock.sleep(for: .seconds(1))
                return "hola"
            },
            clock: time.clock)
        let test = TestDriver(
            phrase, state: Phrase(), environment: translator,
            time: time, calls: calls)

        test.send("hel") { phrase in
            phrase.text = "hel"
            phrase.isTranslating = true
        }
        test.advance(by: .milliseconds(300))
        test.expectCall("translate", "hel")
        let last = test.send("hello") { $0.text = "hello" }
        test.advance(by: .milliseconds(300))
        test.expectCall("translate", "hello")
        test.advance(by: .seconds(1))
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
            environment: Translator(
                translate: { _ in throw Offline() },
                clock: time.clock),
            time: time)

        let sent = test.send("hello") { $0.isTranslating = true }
        test.advance(by: .milliseconds(300))
        test.change(from: sent) { phrase in
            phrase.failure = "Offline()"
            phrase.isTranslating = false
        }
        let next = test.send("bye") { phrase in
            phrase.failure = nil
            phrase.isTranslating = true
        }
        test.advance(by: .milliseconds(300))
        test.change(from: next) { phrase in
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
            environment: Translator(
                translate: { _ in "hola" }, clock: time.clock),
            executor: time.executor,
            trace: Trace(to: events, clock: time.clock),
            dispatcher: phrase)

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
        // Stands in for the type of this name.
        // swift-format-ignore: AlwaysUseLowerCamelCase
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
            dispatcher: phrase)

        component.send("hello")
        try await component.settled()
        file.close()
        //@endfrom
        //@endfile

        #expect(component.state.translation == "HELLO")
        #expect(try folder.records(of: "phrase.jsonl").first?.kind == .created)
    }
}
