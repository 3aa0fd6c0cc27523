import FunctionalArchitecture

struct Translator: Sendable {
    var translate: @Sendable (String) async throws -> String
    var clock: any Clock<Duration> = .continuous
}

struct Phrase: Equatable, Sendable {
    var text = ""
}

typealias PhraseDispatcher = StateDispatcher<
    Translator, Phrase, String
>

var typingPhrase: PhraseDispatcher {
    .pure { text in
        .update { $0.text = text }
    }
}
