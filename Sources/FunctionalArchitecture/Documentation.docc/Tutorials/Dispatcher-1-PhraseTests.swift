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
