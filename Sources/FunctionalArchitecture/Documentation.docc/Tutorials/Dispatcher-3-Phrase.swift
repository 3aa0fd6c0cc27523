import FunctionalArchitecture

struct Translator: Sendable {
    var translate: @Sendable (String) async throws -> String
}

struct Phrase: Equatable, Sendable {
    var text = ""
    var translation: String?
    var isTranslating = false
}

typealias PhraseDispatcher = StateDispatcher<
    Translator, Phrase, String
>

let typingPhrase = PhraseDispatcher.pure { text in
    .update { $0.text = text }
}

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
