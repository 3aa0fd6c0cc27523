import FunctionalCore

/// What led to an action, as far as it tells a runaway.
///
/// Two things are counted. Of all that follows without a task in between from what somebody dispatched, or a task did:
/// how many actions it is. Of what follows through tasks, or through the main actor: how many answers a second are
/// given by who has given one before in the same line, by all lines of one origin together. So neither a stream that
/// brings much, nor many who do something once, nor whoever takes a second each time is counted; while a runaway always
/// comes back to who was there before, also where it branches.
///
/// Unchecked: what is counted is touched while the store handles something.
@usableFromInline
final class CauseContext: @unchecked Sendable {
    /// What is counted without tasks.
    @exclusivity(unchecked)
    private(set) var tally: Tally
    /// What is counted through tasks; `nil` where none lies in between yet.
    let origin: CauseOrigin?
    /// The types of the last actions, the latest last, where there may soon be too many.
    let types: [any Action.Type]
    /// Whether all of this follows from the report of a runaway.
    let followsReport: Bool
    /// Whether who has acted last had done so before in the same second.
    let recurs: Bool
    /// Who has acted in this second of the line.
    private let doers: [ObjectIdentifier]
    private let secondBegan: Duration

    /// How many causes are named.
    static var named: Int { 16 }

    /// So many who act in a line within a second, and all others are taken for one of them: a loop that registers
    /// effects as it goes never meets the same one.
    private static var distinctDoers: Int { 64 }

    /// What is dispatched by somebody in particular, through tasks.
    static let root = CauseContext()
    /// What is done about the report of a runaway.
    static let report = CauseContext(followsReport: true)

    /// The beginning of what follows from one action.
    convenience init(followsReport: Bool = false) {
        self.init(
            tally: Tally(), origin: nil, types: [], followsReport: followsReport, recurs: false, doers: [],
            secondBegan: .zero)
    }

    private init(
        tally: Tally, origin: CauseOrigin?, types: [any Action.Type], followsReport: Bool, recurs: Bool,
        doers: [ObjectIdentifier], secondBegan: Duration
    ) {
        self.tally = tally
        self.origin = origin
        self.types = types
        self.followsReport = followsReport
        self.recurs = recurs
        self.doers = doers
        self.secondBegan = secondBegan
    }

    /// The same after `doer` has acted in a task, or on an actor.
    func afterHop(by doer: ObjectIdentifier, counting tally: Tally, _ limits: StoreLimits) -> CauseContext {
        let now = limits.stopwatch.elapsed()
        guard let origin, now - secondBegan < .seconds(1) else {
            // What is slow on the clock begins anew, and counts for nothing.
            return CauseContext(
                tally: tally, origin: origin ?? CauseOrigin(began: now), types: [], followsReport: followsReport,
                recurs: false, doers: [doer], secondBegan: now)
        }
        let recurs = doers.contains(doer) || doers.count == Self.distinctDoers
        if recurs { origin.add(at: now) }
        return CauseContext(
            tally: tally, origin: origin, types: types, followsReport: followsReport, recurs: recurs,
            doers: recurs ? doers : doers + [doer], secondBegan: secondBegan)
    }

    /// The same after one more action, by name.
    func naming(_ action: any Action) -> CauseContext {
        CauseContext(
            tally: tally, origin: origin, types: types.suffix(Self.named - 1) + [type(of: action)],
            followsReport: followsReport, recurs: recurs, doers: doers, secondBegan: secondBegan)
    }

    /// Makes the beginning of what follows from one action, out of `spare` where nobody holds that any more: most
    /// chains are short, and nothing is allocated for them.
    static func beginning(_ spare: inout CauseContext?) -> CauseContext {
        if isKnownUniquelyReferenced(&spare), let spare, isKnownUniquelyReferenced(&spare.tally) {
            spare.tally.count = 0
            return spare
        }
        let new = CauseContext()
        spare = new
        return new
    }
}
