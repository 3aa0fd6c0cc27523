import Optics
import PropertyTesting

/// The laws of traversals, for generated wholes, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: TraversalLaw.allCases) func myTraversal(_ law: TraversalLaw) async {
///     await law.property(of: myTraversal, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws follow those of the Scala library Monocle. Further laws, such as ``anEffectThatFailsStopsThere``, are about
/// changes in place.
public enum TraversalLaw: String, CaseIterable, Sendable {
    case readWhatYouChanged = "getAll(modify(s, f)) == getAll(s).map(f)"
    case theAnswersAgree = "first, count, isEmpty, contains and allSatisfy agree with getAll"
    case aVisitEndsWhereItIsStopped = "no part is visited after the closure returns false"
    case settingTwiceIsSettingOnce = "set(set(s, a), a) == set(s, a)"
    case changingNothingChangesNothing = "modify(s, id) == s"
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    case settingIsAConstantChange = "set(s, a) == modify(s, const a)"
    case effectsRunInOrder = "modify visits the parts in the order of getAll"
    case anEffectThatFailsStopsThere = "modify stops at the part whose change throws"
    case anEffectfulChangeIsAChange = "traverse(s, f) == modifying(s, f), in the order of getAll"
    case twoEffectsAreOne = "modify(modify(s, f), g) == modify(s, g . f), where f and g count, each part once"
}

extension TraversalLaw {
    /// Returns a property that checks this law for a traversal, with closures that compare wholes and parts.
    ///
    /// - Parameters:
    ///   - traversal: The traversal to check.
    ///   - whole: Generates wholes, some of which should have a part.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have a part. If fewer have one, the
    ///     property fails, because the law was tested too rarely. Pass 0 to require none.
    ///   - wholes: Returns whether two wholes are equal.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of traversal: Traversal<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        atLeast share: Double = 0.01,
        wholes: @escaping @Sendable (Whole, Whole) -> Bool,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, needs)) { sample in
            classify(!traversal.isEmpty(sample.whole), "parts in the whole", atLeast: share)
            try await Verdict(law: rawValue).reportingTraps { try await hold(traversal, sample, wholes, parts) }
        }
    }

    /// Returns a property that checks this law for a traversal whose wholes and parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - traversal: The traversal to check.
    ///   - whole: Generates wholes, some of which should have a part.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have a part. If fewer have one, the
    ///     property fails, because the law was tested too rarely. Pass 0 to require none.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of traversal: Traversal<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>, atLeast share: Double = 0.01
    ) -> Property {
        property(
            of: traversal, whole: whole, part: part, atLeast: share, wholes: { isSame($0, $1) },
            parts: { isSame($0, $1) })
    }

    /// The parts and changes that the law needs.
    private var needs: OpticNeeds {
        switch self {
        case .aVisitEndsWhereItIsStopped, .changingNothingChangesNothing, .effectsRunInOrder,
            .anEffectThatFailsStopsThere:
            OpticNeeds()
        case .theAnswersAgree, .settingTwiceIsSettingOnce, .settingIsAConstantChange: OpticNeeds(parts: 1)
        case .readWhatYouChanged, .anEffectfulChangeIsAChange: OpticNeeds(changes: 1)
        case .twoChangesAreOne, .twoEffectsAreOne: OpticNeeds(changes: 2)
        }
    }

    private nonisolated(nonsending) func hold<Whole, Part: Sendable>(
        _ traversal: Traversal<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) async throws {
        let verdict = Verdict(law: rawValue)
        let whole = sample.whole
        var part: Part { sample.part }
        func optional(_ left: Part?, _ right: Part?) -> Bool { same(left, right, parts) }
        func allParts(_ left: [Part], _ right: [Part]) -> Bool { left.elementsEqual(right, by: parts) }
        let all = traversal.getAll(whole)
        switch self {
        case .readWhatYouChanged:
            let changed = traversal.getAll(traversal.modifying(whole, sample.change))
            try verdict.same(changed, all.map { sample.firstChange($0) }, by: allParts)
        case .theAnswersAgree:
            try verdict.same(traversal.first(whole), all.first, by: optional)
            try verdict.same(traversal.count(whole), all.count)
            try verdict.same(traversal.isEmpty(whole), all.isEmpty)
            try verdict.same(
                traversal.contains(whole) { parts($0, part) }, all.contains { parts($0, part) })
            try verdict.same(
                traversal.allSatisfy(whole) { parts($0, part) }, all.allSatisfy { parts($0, part) })
        case .aVisitEndsWhereItIsStopped:
            try verdict.endsWhereItIsStopped(traversal.asFold, whole, count: all.count)
        case .settingTwiceIsSettingOnce:
            let once = traversal.setting(whole, part)
            try verdict.same(traversal.setting(once, part), once, by: wholes)
        case .changingNothingChangesNothing: try verdict.same(traversal.modifying(whole) { _ in }, whole, by: wholes)
        case .twoChangesAreOne:
            let twice = traversal.modifying(traversal.modifying(whole, sample.change), sample.second)
            let once = traversal.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            try verdict.same(twice, once, by: wholes)
        case .settingIsAConstantChange:
            try verdict.same(traversal.setting(whole, part), traversal.modifying(whole) { $0 = part }, by: wholes)
        case .effectsRunInOrder:
            var seen: [Part] = []
            var copy = whole
            traversal.modify(&copy) { seen.append($0) }
            try verdict.same(seen, all, by: allParts)
        case .anEffectThatFailsStopsThere:
            var calls = 0
            do throws(Refusal) {
                _ = try traversal.modifying(whole) { (_: inout Part) throws(Refusal) -> Void in
                    calls += 1
                    if calls == 2 { throw Refusal() }
                }
            } catch {
                return try verdict.that(all.count >= 2 && calls == 2, "The closure was called \(calls) times.")
            }
            try verdict.that(all.count < 2, "The closure's error was not thrown.")
        case .anEffectfulChangeIsAChange:
            var visits = 0
            _ = traversal.modifying(whole) { _ in visits += 1 }
            // `traverse` traps if the counts differ.
            try verdict.that(visits == all.count, "\(all.count) parts were read, and \(visits) visited by an update.")
            var seen: [Part] = []
            let changed = await traversal.traverse(whole) { part in
                seen.append(part)
                return sample.firstChange(part)
            }
            try verdict.same(seen, all, by: allParts)
            try verdict.same(changed, traversal.modifying(whole, sample.change), by: wholes)
        case .twoEffectsAreOne:
            let (first, second) = (EverySecond(sample.change), EverySecond(sample.second))
            let twice = traversal.modifying(traversal.modifying(whole, first.change), second.change)
            try verdict.that(
                first.calls == all.count && second.calls == all.count,
                "\(all.count) parts were visited \(first.calls) and \(second.calls) times.")
            let (third, fourth) = (EverySecond(sample.change), EverySecond(sample.second))
            let once = traversal.modifying(whole) { part in
                third.change(&part)
                fourth.change(&part)
            }
            try verdict.same(twice, once, by: wholes)
        }
    }
}

/// A change that counts its calls and modifies only the first of every two parts.
private final class EverySecond<Part> {
    private(set) var calls = 0
    private let body: (inout Part) -> Void

    init(_ body: @escaping (inout Part) -> Void) {
        self.body = body
    }

    func change(_ part: inout Part) {
        calls += 1
        if calls % 2 == 1 { body(&part) }
    }
}
