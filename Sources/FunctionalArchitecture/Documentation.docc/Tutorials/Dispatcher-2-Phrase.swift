import FunctionalArchitecture

struct Translator: Sendable {
    var translate: @Sendable (String) async throws -> String
    var clock: any Clock<Duration> = .continuous
}

struct Phrase: Equatable, Sendable {
    var text = ""
    var translation: String?
    var isTranslating = false
}

typealias PhraseDispatcher = StateDispatcher<
    Translator, Phrase, String
>

var typingPhrase: PhraseDispatcher {
    .pure { text in
        .update { $0.text = text }
    }
}

var translating: PhraseDispatcher {
    .workflow { text in
        [
            .pure(
                .update { phrase in
                    phrase.isTranslating = true
                }),
            EnvIO { translator in
                let translation = try await translator.translate(text)
                return .update { phrase in
                    phrase.translation = translation
                    phrase.isTranslating = false
                }
            },
        ]
    }
}
