import Optics
import PropertyTesting

/// The laws of lenses, for generated wholes, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: LensLaw.allCases) func myLens(_ law: LensLaw) async {
///     await law.property(of: myLens, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws follow those of the Scala library Monocle. Further laws, such as ``copiesAreNotChanged``, are about changes
/// in place.
public enum LensLaw: String, CaseIterable, Sendable {
    case setWhatYouGet = "set(s, get(s)) == s"
    case getWhatYouSet = "get(set(s, a)) == a"
    case theLastSetCounts = "set(set(s, b), a) == set(s, a)"
    case changingNothingChangesNothing = "modify(s, id) == s"
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    case settingIsAConstantChange = "set(s, a) == modify(s, const a)"
    case copiesAreNotChanged = "modify(&s, f) == modifying(s, f), and copies of s stay"
    case theClosureRunsOnceAndItsErrorIsThrown =
        "modify calls its closure once, answers what it answers, and throws what it throws"
}

extension LensLaw {
    /// Returns a property that checks this law for a lens, with closures that compare wholes and parts.
    ///
    /// - Parameters:
    ///   - lens: The lens to check.
    ///   - whole: Generates wholes.
    ///   - part: Generates parts.
    ///   - wholes: Returns whether two wholes are equal.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of lens: Lens<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in
            try await Verdict(law: rawValue).reportingTraps { try hold(lens, sample, wholes, parts) }
        }
    }

    /// Returns a property that checks this law for a lens whose wholes and parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - lens: The lens to check.
    ///   - whole: Generates wholes.
    ///   - part: Generates parts.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of lens: Lens<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>
    ) -> Property {
        property(of: lens, whole: whole, part: part, wholes: { isSame($0, $1) }, parts: { isSame($0, $1) })
    }

    /// The parts and changes that the law needs.
    private var needs: OpticNeeds {
        switch self {
        case .setWhatYouGet, .changingNothingChangesNothing, .theClosureRunsOnceAndItsErrorIsThrown: OpticNeeds()
        case .getWhatYouSet, .settingIsAConstantChange: OpticNeeds(parts: 1)
        case .theLastSetCounts: OpticNeeds(parts: 2)
        case .twoChangesAreOne: OpticNeeds(changes: 2)
        case .copiesAreNotChanged: OpticNeeds(changes: 1, twin: true)
        }
    }

    private func hold<Whole, Part: Sendable>(
        _ lens: Lens<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) throws {
        let verdict = Verdict(law: rawValue)
        let whole = sample.whole
        var part: Part { sample.part }
        switch self {
        case .setWhatYouGet: try verdict.same(lens.setting(whole, lens.get(whole)), whole, by: wholes)
        case .getWhatYouSet: try verdict.same(lens.get(lens.setting(whole, part)), part, by: parts)
        case .theLastSetCounts:
            try verdict.same(
                lens.setting(lens.setting(whole, sample.other), part), lens.setting(whole, part), by: wholes)
        case .changingNothingChangesNothing: try verdict.same(lens.modifying(whole) { _ in }, whole, by: wholes)
        case .twoChangesAreOne:
            let twice = lens.modifying(lens.modifying(whole, sample.change), sample.second)
            let once = lens.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            try verdict.same(twice, once, by: wholes)
        case .settingIsAConstantChange:
            try verdict.same(lens.setting(whole, part), lens.modifying(whole) { $0 = part }, by: wholes)
        case .copiesAreNotChanged:
            var changed = whole
            let copy = changed
            lens.modify(&changed, sample.change)
            try verdict.same(copy, sample.twin ?? whole, by: wholes)
            try verdict.same(changed, lens.modifying(whole, sample.change), by: wholes)
        case .theClosureRunsOnceAndItsErrorIsThrown:
            var calls = 0
            var changed = whole
            let seen = lens.modify(&changed) { part in
                calls += 1
                return part
            }
            try verdict.that(calls == 1, "The closure was called \(calls) times.")
            try verdict.same(seen, lens.get(whole), by: parts)
            do throws(Refusal) {
                try lens.modify(&changed) { (_: inout Part) throws(Refusal) -> Void in throw Refusal() }
            } catch {
                return try verdict.same(changed, whole, by: wholes)
            }
            try verdict.that(false, "The closure's error was not thrown.")
        }
    }
}
