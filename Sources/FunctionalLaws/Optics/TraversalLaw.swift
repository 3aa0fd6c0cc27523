import Optics
import PropertyTesting

/// What every traversal must keep, for any whole, parts and changes of the part.
///
/// ```swift
/// @Test(arguments: TraversalLaw.allCases) func myTraversal(_ law: TraversalLaw) async {
///     await law.property(of: myTraversal, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// The laws are Monocle's, and a few about changing in place.
public enum TraversalLaw: String, CaseIterable, Sendable {
    /// `getAll(modify(s, f)) == getAll(s).map(f)`
    case readWhatYouChanged = "getAll(modify(s, f)) == getAll(s).map(f)"
    /// First, count, isEmpty, contains and allSatisfy agree with getAll.
    case theAnswersAgree = "first, count, isEmpty, contains and allSatisfy agree with getAll"
    /// `set(set(s, a), a) == set(s, a)`
    case settingTwiceIsSettingOnce = "set(set(s, a), a) == set(s, a)"
    /// `modify(s, id) == s`
    case changingNothingChangesNothing = "modify(s, id) == s"
    /// `modify(modify(s, f), g) == modify(s, g . f)`
    case twoChangesAreOne = "modify(modify(s, f), g) == modify(s, g . f)"
    /// `set(s, a) == modify(s, const a)`
    case settingIsAConstantChange = "set(s, a) == modify(s, const a)"
    /// Modify visits the parts in the order of getAll.
    case effectsRunInOrder = "modify visits the parts in the order of getAll"
    /// Modify stops at the part whose change throws.
    case anEffectThatFailsStopsThere = "modify stops at the part whose change throws"
    /// `modify(modify(s, f), g) == modify(s, g . f), where f and g count, each part once`
    case twoEffectsAreOne = "modify(modify(s, f), g) == modify(s, g . f), where f and g count, each part once"
}

extension TraversalLaw {
    /// The law for a traversal of yours, over generated wholes and parts; values are the same when the closures say so.
    ///
    /// - Parameters:
    ///   - traversal: The traversal.
    ///   - whole: Makes wholes, those that have a part among them.
    ///   - part: Makes parts.
    ///   - share: In how many of the cases the whole must have a part: a law that met none says nothing, and fails. 0
    ///     where that is meant.
    ///   - wholes: Whether two wholes are the same.
    ///   - parts: Whether two parts are the same.
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
            try hold(traversal, sample, wholes, parts)
        }
    }

    /// The law for a traversal of yours, over generated wholes and parts, which are compared by `==`, and text in them by
    /// its Unicode scalars.
    ///
    /// - Parameters:
    ///   - traversal: The traversal.
    ///   - whole: Makes wholes, those that have a part among them.
    ///   - part: Makes parts.
    ///   - share: In how many of the cases the whole must have a part: a law that met none says nothing, and fails. 0
    ///     where that is meant.
    public func property<Whole: Equatable & SendableMetatype, Part: Equatable & Sendable>(
        of traversal: Traversal<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>, atLeast share: Double = 0.01
    ) -> Property {
        property(
            of: traversal, whole: whole, part: part, atLeast: share, wholes: { isSame($0, $1) },
            parts: { isSame($0, $1) })
    }

    /// What it looks at.
    private var needs: OpticNeeds {
        switch self {
        case .changingNothingChangesNothing, .effectsRunInOrder, .anEffectThatFailsStopsThere: OpticNeeds()
        case .theAnswersAgree, .settingTwiceIsSettingOnce, .settingIsAConstantChange: OpticNeeds(parts: 1)
        case .readWhatYouChanged: OpticNeeds(changes: 1)
        case .twoChangesAreOne, .twoEffectsAreOne: OpticNeeds(changes: 2)
        }
    }

    private func hold<Whole, Part: Sendable>(
        _ traversal: Traversal<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ wholes: (Whole, Whole) -> Bool,
        _ parts: (Part, Part) -> Bool
    ) throws {
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
                return try verdict.that(all.count >= 2 && calls == 2, "It was called \(calls) times.")
            }
            try verdict.that(all.count < 2, "The closure's error was not thrown.")
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

/// A change with an effect: it counts, and does something at every other part.
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
