import Optics
import PropertyTesting

/// The laws of isos, for generated wholes, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: IsoLaw.allCases) func myIso(_ law: IsoLaw) async {
///     await law.property(of: myIso, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws follow those of the Scala library Monocle. ``reversedTwiceIsTheSame`` is an addition.
public enum IsoLaw: String, CaseIterable, Sendable {
    case backFromThere = "reverseGet(get(s)) == s"
    case thereFromBack = "get(reverseGet(a)) == a"
    case changingNothingChangesNothing = "modify(s, id) == s"
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    case settingIsAConstantChange = "set(s, a) == modify(s, const a) == reverseGet(a)"
    case reversedTwiceIsTheSame = "reversed.reversed == itself"
}

extension IsoLaw {
    /// Returns a property that checks this law for an iso, with closures that compare wholes and parts.
    ///
    /// - Parameters:
    ///   - iso: The iso to check.
    ///   - whole: Generates wholes.
    ///   - part: Generates parts.
    ///   - wholes: Returns whether two wholes are equal.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of iso: Iso<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in try hold(iso, sample, wholes, parts) }
    }

    /// Returns a property that checks this law for an iso whose wholes and parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - iso: The iso to check.
    ///   - whole: Generates wholes.
    ///   - part: Generates parts.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of iso: Iso<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>
    ) -> Property {
        property(of: iso, whole: whole, part: part, wholes: { isSame($0, $1) }, parts: { isSame($0, $1) })
    }

    /// The parts and changes that the law needs.
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
