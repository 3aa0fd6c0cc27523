import Optics
import PropertyTesting

/// The laws of prisms, for generated wholes, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: PrismLaw.allCases) func myPrism(_ law: PrismLaw) async {
///     await law.property(of: myPrism, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws follow those of the Scala library Monocle. Further laws, such as
/// ``aMissIsLeftAloneAndTheClosureNotCalled``, are about changes in place.
public enum PrismLaw: String, CaseIterable, Sendable {
    case embedWhatYouExtract = "extract(s).map(embed) ?? s == s"
    case extractWhatYouEmbed = "extract(embed(a)) == a"
    case changingNothingChangesNothing = "modify(s, id) == s"
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    case settingIsAConstantChange = "set(s, a) == modify(s, const a)"
    case aMissIsLeftAloneAndTheClosureNotCalled =
        "where extract(s) == nil, modify and set change nothing and call nothing"
    case theAnswersAgree = "matches and extract agree"
    case changingIsExtractingAndEmbedding = "modify(s, f) == extract(s).map { embed(f($0)) } ?? s"
}

extension PrismLaw {
    /// Returns a property that checks this law for a prism, with closures that compare wholes and parts.
    ///
    /// - Parameters:
    ///   - prism: The prism to check.
    ///   - whole: Generates wholes, some of which should have the part and some not.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have the part. If fewer have it, the
    ///     property fails, because the law was tested too rarely. For ``aMissIsLeftAloneAndTheClosureNotCalled``,
    ///     `share` applies to the cases in which the whole lacks the part. ``extractWhatYouEmbed`` requires no share.
    ///     Pass 0 to require none.
    ///   - wholes: Returns whether two wholes are equal.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of prism: Prism<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        atLeast share: Double = 0.01,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in
            let matches = prism.matches(sample.whole)
            if self == .aMissIsLeftAloneAndTheClosureNotCalled {
                classify(!matches, "no part in the whole", atLeast: share)
            } else {
                classify(matches, "a part in the whole", atLeast: self == .extractWhatYouEmbed ? 0 : share)
            }
            try await Verdict(law: rawValue).reportingTraps { try hold(prism, sample, wholes, parts) }
        }
    }

    /// Returns a property that checks this law for a prism whose wholes and parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - prism: The prism to check.
    ///   - whole: Generates wholes, some of which should have the part and some not.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have the part. If fewer have it, the
    ///     property fails, because the law was tested too rarely. For ``aMissIsLeftAloneAndTheClosureNotCalled``,
    ///     `share` applies to the cases in which the whole lacks the part. ``extractWhatYouEmbed`` requires no share.
    ///     Pass 0 to require none.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of prism: Prism<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>, atLeast share: Double = 0.01
    ) -> Property {
        property(
            of: prism, whole: whole, part: part, atLeast: share, wholes: { isSame($0, $1) }, parts: { isSame($0, $1) })
    }

    /// The parts and changes that the law needs.
    private var needs: OpticNeeds {
        switch self {
        case .embedWhatYouExtract, .changingNothingChangesNothing, .theAnswersAgree: OpticNeeds()
        case .extractWhatYouEmbed, .settingIsAConstantChange, .aMissIsLeftAloneAndTheClosureNotCalled:
            OpticNeeds(parts: 1)
        case .twoChangesAreOne: OpticNeeds(changes: 2)
        case .changingIsExtractingAndEmbedding: OpticNeeds(changes: 1)
        }
    }

    private func hold<Whole, Part: Sendable>(
        _ prism: Prism<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) throws {
        let verdict = Verdict(law: rawValue)
        let whole = sample.whole
        var part: Part { sample.part }
        func optional(_ left: Part?, _ right: Part?) -> Bool { same(left, right, parts) }
        switch self {
        case .embedWhatYouExtract:
            try verdict.same(prism.extract(whole).map(prism.embed) ?? whole, whole, by: wholes)
        case .extractWhatYouEmbed: try verdict.same(prism.extract(prism.embed(part)), part, by: optional)
        case .changingNothingChangesNothing: try verdict.same(prism.modifying(whole) { _ in }, whole, by: wholes)
        case .twoChangesAreOne:
            let twice = prism.modifying(prism.modifying(whole, sample.change), sample.second)
            let once = prism.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            try verdict.same(twice, once, by: wholes)
        case .settingIsAConstantChange:
            try verdict.same(prism.setting(whole, part), prism.modifying(whole) { $0 = part }, by: wholes)
        case .aMissIsLeftAloneAndTheClosureNotCalled:
            var calls = 0
            var changed = whole
            let answer: Void? = prism.modify(&changed) { _ in calls += 1 }
            let present = prism.extract(whole) != nil
            let wasSet = prism.set(&changed, part)
            try verdict.that(calls == (present ? 1 : 0), "The closure was called \(calls) times.")
            try verdict.that((answer != nil) == present && wasSet == present, "modify and set disagree with extract.")
            if !present { try verdict.same(changed, whole, by: wholes) }
        case .theAnswersAgree:
            try verdict.that(prism.matches(whole) == (prism.extract(whole) != nil), "matches and extract differ.")
            try verdict.same(prism.extract(whole), prism.extract(whole), by: optional)
        case .changingIsExtractingAndEmbedding:
            let changed = prism.extract(whole).map { prism.embed(sample.firstChange($0)) } ?? whole
            try verdict.same(prism.modifying(whole, sample.change), changed, by: wholes)
        }
    }
}
