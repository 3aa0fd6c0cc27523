import FunctionalCore
import Loop

/// Returns a predicate that requires an answer with neither a model nor effects.
///
/// In an ``InitSpec``, the predicate always fails, because every loop starts with a model.
public func hasNothing<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, effects in
        if model == nil, effects.isEmpty { return nil }
        let model = model.map { ["+ the model:"] + added($0) } ?? []
        let effects = effects.isEmpty ? [] : ["+ the effects:"] + effects.flatMap(added)
        return report("hasNothing: there is a model, or there are effects", model + effects)
    }
}

/// Returns a predicate that requires an answer without a model.
///
/// In an ``InitSpec``, the predicate always fails, because every loop starts with a model.
public func hasNoModel<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in model.map { report("hasNoModel: there is a model", added($0)) } }
}

/// Returns a predicate that requires an answer with a model, whatever its value.
public func hasModel<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in model == nil ? "hasModel: there is no model" : nil }
}

/// Returns a predicate that requires an answer with a model that equals `expected`.
public func hasModel<Model: Equatable, Effect>(_ expected: Model) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { model, _ in
        guard let model else { return report("hasModel: there is no model", missing(expected)) }
        if ValueEquality.areEqual(model, expected) { return nil }
        return report("hasModel: the model differs", ValueDiff.difference(from: expected, to: model).lines)
    }
}
