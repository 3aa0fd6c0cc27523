import FunctionalCore
import Loop

/// Returns a predicate that requires an answer without effects.
public func hasNoEffects<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        effects.isEmpty ? nil : report("hasNoEffects: there are effects", effects.flatMap(added))
    }
}

/// Returns a predicate that requires an answer with at least these effects, in any order.
///
/// An effect that is expected twice must occur twice.
public func hasEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        let difference = EffectDifference(from: expected, to: effects)
        if difference.missing.isEmpty { return nil }
        return report("hasEffects: effects are missing", difference.lines(showingAllUnexpected: false))
    }
}

/// Returns a predicate that requires an answer with these effects and no others, in any order.
///
/// An effect that is expected twice must occur twice.
public func hasOnlyEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        let difference = EffectDifference(from: expected, to: effects)
        if difference.missing.isEmpty, difference.unexpected.isEmpty { return nil }
        return report("hasOnlyEffects: the effects differ", difference.lines(showingAllUnexpected: true))
    }
}

/// Returns a predicate that requires an answer with these effects and no others, in this order.
public func hasExactlyEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        if ValueEquality.areEqual(effects, expected) { return nil }
        return report("hasExactlyEffects: the effects differ, or their order does", orderedLines(expected, effects))
    }
}
