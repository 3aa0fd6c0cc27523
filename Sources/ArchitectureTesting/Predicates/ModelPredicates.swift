import Loop

/// The answer has neither a model nor effects.
public func hasNothing<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, effects in
        if model == nil, effects.isEmpty { return nil }
        let model = model.map { ["+ the model:"] + added($0) } ?? []
        let effects = effects.isEmpty ? [] : ["+ the effects:"] + effects.flatMap(added)
        return report("hasNothing: there is something", model + effects)
    }
}

/// The answer has no model. What a loop starts from always has one.
public func hasNoModel<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in model.map { report("hasNoModel: there is one", added($0)) } }
}

/// The answer has a model, whichever.
public func hasModel<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in model == nil ? "hasModel: there is none" : nil }
}

/// The answer has a model, which equals `expected`.
public func hasModel<Model: Equatable, Effect>(_ expected: Model) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in
        guard let model else { return report("hasModel: there is none", missing(expected)) }
        if model == expected { return nil }
        return report("hasModel: it is another", LineDiff(from: expected, to: model).lines)
    }
}
