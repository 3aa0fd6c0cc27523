import ArchitectureTesting
import FunctionalArchitecture
import Testing
import VirtualTime
@testable import MyApp

@Test func typingChangesTheText() {
    let test = TestDriver(
        typingPhrase, state: Phrase(),
        environment: Translator { text in text })

    test.send("hello") { $0.text = "hello" }
    test.finish()
}

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
    test.expectCall("translate", "hello")
    test.advance(by: .seconds(1))
    test.change(from: sent) { phrase in
        phrase.translation = "hola"
        phrase.isTranslating = false
    }
    test.finish()
}
