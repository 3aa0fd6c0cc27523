import Loop

/// The answer has no effects.
public func hasNoEffects<Model, Effect>() -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        effects.isEmpty ? nil : report("hasNoEffects: there are some", effects.flatMap(added))
    }
}

/// The answer has these effects, in any order, and maybe others. One that is expected twice has to be there twice.
public func hasEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        let difference = EffectDifference(from: expected, to: effects)
        if difference.missing.isEmpty { return nil }
        return report("hasEffects: some are missing", difference.lines(showingAllUnexpected: false))
    }
}

/// The answer has these effects and no others, in any order. One that is expected twice has to be there twice.
public func hasOnlyEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        let difference = EffectDifference(from: expected, to: effects)
        if difference.missing.isEmpty, difference.unexpected.isEmpty { return nil }
        return report("hasOnlyEffects: they are others", difference.lines(showingAllUnexpected: true))
    }
}

/// The answer has these effects and no others, in this order.
public func hasExactlyEffects<Model, Effect: Equatable>(_ expected: [Effect]) -> AnswerPredicate<Model, Effect> {
    AnswerPredicate { _, effects in
        if effects == expected { return nil }
        return report("hasExactlyEffects: they are others, or in another order", orderedLines(expected, effects))
    }
}
