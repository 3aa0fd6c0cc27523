import Optics
import PropertyTesting

/// The laws of affines, for generated wholes, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: AffineLaw.allCases) func myAffine(_ law: AffineLaw) async {
///     await law.property(of: myAffine, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws follow those of the Scala library Monocle. Further laws, such as ``theErrorIsThrown``, are about changes in
/// place.
public enum AffineLaw: String, CaseIterable, Sendable {
    case setWhatYouExtract = "extract(s).map { set(s, $0) } ?? s == s"
    case extractWhatYouSet = "extract(set(s, a)) == extract(s).map(const a)"
    case theLastSetCounts = "set(set(s, b), a) == set(s, a)"
    case changingNothingChangesNothing = "modify(s, id) == s"
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    case settingIsAConstantChange = "set(s, a) == modify(s, const a)"
    case whereThereIsNoPartNothingHappens = "where extract(s) == nil, modify and set change nothing and call nothing"
    case theAnswersAgree = "matches and extract agree"
    case theErrorIsThrown = "modify throws what its closure throws, and s stays"
}

extension AffineLaw {
    /// Returns a property that checks this law for an affine, with closures that compare wholes and parts.
    ///
    /// - Parameters:
    ///   - affine: The affine to check.
    ///   - whole: Generates wholes, some of which should have the part and some not.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have the part. If fewer have it, the
    ///     property fails, because the law was tested too rarely. For ``whereThereIsNoPartNothingHappens``, `share`
    ///     applies to the cases in which the whole lacks the part. Pass 0 to require none.
    ///   - wholes: Returns whether two wholes are equal.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of affine: Affine<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        atLeast share: Double = 0.01,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in
            let matches = affine.matches(sample.whole)
            if self == .whereThereIsNoPartNothingHappens {
                classify(!matches, "no part in the whole", atLeast: share)
            } else {
                classify(matches, "a part in the whole", atLeast: share)
            }
            try await Verdict(law: rawValue).reportingTraps { try hold(affine, sample, wholes, parts) }
        }
    }

    /// Returns a property that checks this law for an affine whose wholes and parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - affine: The affine to check.
    ///   - whole: Generates wholes, some of which should have the part and some not.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have the part. If fewer have it, the
    ///     property fails, because the law was tested too rarely. For ``whereThereIsNoPartNothingHappens``, `share`
    ///     applies to the cases in which the whole lacks the part. Pass 0 to require none.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of affine: Affine<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>, atLeast share: Double = 0.01
    ) -> Property {
        property(
            of: affine, whole: whole, part: part, atLeast: share, wholes: { isSame($0, $1) }, parts: { isSame($0, $1) })
    }

    /// The parts and changes that the law needs.
    private var needs: OpticNeeds {
        switch self {
        case .setWhatYouExtract, .changingNothingChangesNothing, .theAnswersAgree, .theErrorIsThrown: OpticNeeds()
        case .extractWhatYouSet, .settingIsAConstantChange, .whereThereIsNoPartNothingHappens: OpticNeeds(parts: 1)
        case .theLastSetCounts: OpticNeeds(parts: 2)
        case .twoChangesAreOne: OpticNeeds(changes: 2)
        }
    }

    private func hold<Whole, Part: Sendable>(
        _ affine: Affine<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) throws {
        let verdict = Verdict(law: rawValue)
        let whole = sample.whole
        var part: Part { sample.part }
        func optional(_ left: Part?, _ right: Part?) -> Bool { same(left, right, parts) }
        switch self {
        case .setWhatYouExtract:
            try verdict.same(affine.extract(whole).map { affine.setting(whole, $0) } ?? whole, whole, by: wholes)
        case .extractWhatYouSet:
            try verdict.same(
                affine.extract(affine.setting(whole, part)), affine.extract(whole).map { _ in part }, by: optional)
        case .theLastSetCounts:
            try verdict.same(
                affine.setting(affine.setting(whole, sample.other), part), affine.setting(whole, part), by: wholes)
        case .changingNothingChangesNothing: try verdict.same(affine.modifying(whole) { _ in }, whole, by: wholes)
        case .twoChangesAreOne:
            let twice = affine.modifying(affine.modifying(whole, sample.change), sample.second)
            let once = affine.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            try verdict.same(twice, once, by: wholes)
        case .settingIsAConstantChange:
            try verdict.same(affine.setting(whole, part), affine.modifying(whole) { $0 = part }, by: wholes)
        case .whereThereIsNoPartNothingHappens:
            var calls = 0
            var changed = whole
            let answer: Void? = affine.modify(&changed) { _ in calls += 1 }
            let present = affine.extract(whole) != nil
            let wasSet = affine.set(&changed, part)
            try verdict.that(calls == (present ? 1 : 0), "The closure was called \(calls) times.")
            try verdict.that((answer != nil) == present && wasSet == present, "modify and set disagree with extract.")
            if !present { try verdict.same(changed, whole, by: wholes) }
        case .theAnswersAgree:
            try verdict.that(affine.matches(whole) == (affine.extract(whole) != nil), "matches and extract differ.")
            try verdict.same(affine.extract(whole), affine.extract(whole), by: optional)
        case .theErrorIsThrown:
            var changed = whole
            var wasThrown = false
            do throws(Refusal) {
                try affine.modify(&changed) { (_: inout Part) throws(Refusal) -> Void in throw Refusal() }
            } catch {
                wasThrown = true
            }
            try verdict.that(
                wasThrown == affine.matches(whole), "The closure's error was \(wasThrown ? "" : "not ")thrown.")
            try verdict.same(changed, whole, by: wholes)
        }
    }
}
