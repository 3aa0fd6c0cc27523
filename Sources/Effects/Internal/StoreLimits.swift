import FunctionalCore

/// How much may follow from one action before it is stopped.
@usableFromInline
struct StoreLimits: Sendable {
    let maximumChain: Int
    let chainRate: Int
    let stopwatch: Stopwatch

    /// Whether causes are to be named: soon there may be too many.
    func areNear(_ causes: CauseContext) -> Bool {
        causes.recurs || causes.tally.count > maximumChain - CauseContext.named
    }

    /// Whether there are too many.
    func areExceeded(by causes: CauseContext) -> Bool {
        causes.tally.count > maximumChain || isRateExceeded(by: causes)
    }

    /// Whether somebody is to be told that `doer` was stopped: of many at once, one is enough.
    func isToTell(of doer: ObjectIdentifier, _ causes: CauseContext) -> Bool {
        if causes.tally.count > maximumChain { return causes.tally.count == maximumChain + 1 }
        return causes.origin?.isToTell(of: doer) ?? true
    }

    private func isRateExceeded(by causes: CauseContext) -> Bool {
        guard causes.recurs, let origin = causes.origin else { return false }
        return origin.count > chainRate
    }
}
