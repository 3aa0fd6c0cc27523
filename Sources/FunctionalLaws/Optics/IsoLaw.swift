import Optics
import PropertyTesting

/// What every iso must keep, for any whole, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: IsoLaw.allCases) func myIso(_ law: IsoLaw) async {
///     await law.property(of: myIso, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws are Monocle's, and a few about changing in place.
public enum IsoLaw: String, CaseIterable, Sendable {
    /// `reverseGet(get(s)) == s`
    case backFromThere = "reverseGet(get(s)) == s"
    /// `get(reverseGet(a)) == a`
    case thereFromBack = "get(reverseGet(a)) == a"
    /// `modify(s, id) == s`
    case changingNothingChangesNothing = "modify(s, id) == s"
    /// `modify(modify(s, f), g) == modify(s, g . f)`
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    /// `set(s, a) == modify(s, const a) == reverseGet(a)`
    case settingIsAConstantChange = "set(s, a) == modify(s, const a) == reverseGet(a)"
    /// Reversed.reversed == itself.
    case reversedTwiceIsTheSame = "reversed.reversed == itself"
}

extension IsoLaw {
    /// The law for an iso of yours, over generated wholes and parts; values are the same when the closures say so.
    public func property<Whole, Part: Sendable>(
        of iso: Iso<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in try hold(iso, sample, wholes, parts) }
    }

    /// The law for an iso of yours, over generated wholes and parts, which are compared by `==`, and text in them by
    /// its Unicode scalars.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of iso: Iso<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>
    ) -> Property {
        property(of: iso, whole: whole, part: part, wholes: { isSame($0, $1) }, parts: { isSame($0, $1) })
    }

    /// What it looks at.
    private var needs: OpticNeeds {
        switch self {
        case .backFromThere, .changingNothingChangesNothing: OpticNeeds()
        case .thereFromBack, .settingIsAConstantChange, .reversedTwiceIsTheSame: OpticNeeds(parts: 1)
        case .twoChangesAreOne: OpticNeeds(changes: 2)
        }
    }

    private func hold<Whole, Part: Sendable>(
        _ iso: Iso<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) throws {
        let verdict = Verdict(law: rawValue)
        let whole = sample.whole
        var part: Part { sample.part }
        switch self {
        case .backFromThere: try verdict.same(iso.reverseGet(iso.get(whole)), whole, by: wholes)
        case .thereFromBack: try verdict.same(iso.get(iso.reverseGet(part)), part, by: parts)
        case .changingNothingChangesNothing: try verdict.same(iso.modifying(whole) { _ in }, whole, by: wholes)
        case .twoChangesAreOne:
            let twice = iso.modifying(iso.modifying(whole, sample.change), sample.second)
            let once = iso.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            try verdict.same(twice, once, by: wholes)
        case .settingIsAConstantChange:
            var changed = whole
            iso.set(&changed, part)
            try verdict.same(iso.setting(whole, part), iso.modifying(whole) { $0 = part }, by: wholes)
            try verdict.same(changed, iso.reverseGet(part), by: wholes)
        case .reversedTwiceIsTheSame:
            let again = iso.reversed.reversed
            try verdict.same(again.get(whole), iso.get(whole), by: parts)
            try verdict.same(again.reverseGet(part), iso.reverseGet(part), by: wholes)
            try verdict.same(iso.reversed.get(part), iso.reverseGet(part), by: wholes)
        }
    }
}
