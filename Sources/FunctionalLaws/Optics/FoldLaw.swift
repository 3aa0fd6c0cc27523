import FunctionalCore
import Optics
import PropertyTesting

/// The laws of folds, for generated wholes and parts.
///
/// ```swift
/// @Test(arguments: FoldLaw.allCases) func myFold(_ law: FoldLaw) async {
///     await law.property(of: myFold, whole: account, part: Gen.string).check()
/// }
/// ```
///
/// A fold satisfies them if it visits the same parts each time, and stops when its closure returns `false`.
///
/// ``foldMapCombinesAll`` follows the laws of `Foldable` in Bow. The other laws are additions.
public enum FoldLaw: String, CaseIterable, Sendable {
    case readingTwiceReadsTheSame = "getAll(s) == getAll(s)"
    case theAnswersAgree = "first, last, count, isEmpty, contains, allSatisfy and reduce agree with getAll"
    case aVisitEndsWhereItIsStopped = "no part is visited after the first that satisfies a condition"
    case foldMapCombinesAll = "foldMap(s, f) == combineAll(getAll(s).map(f))"
    case filterSelectsParts = "filter(p).getAll(s) == getAll(s).filter(p)"
    case compositionIsFlatMap = "appending(g).getAll(s) == getAll(s).flatMap { g.getAll($0) }"
    case combiningConcatenates = "combine(g).getAll(s) == getAll(s) + g.getAll(s)"
}

extension FoldLaw {
    /// Returns a property that checks this law for a fold, with a closure that compares parts.
    ///
    /// - Parameters:
    ///   - fold: The fold to check.
    ///   - whole: Generates wholes, some of which should have a part.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have a part. If fewer have one, the
    ///     property fails, because the law was tested too rarely. Pass 0 to require none.
    ///   - parts: Returns whether two parts are equal.
    public func property<Whole, Part: Sendable>(
        of fold: Fold<Whole, Part>,
        whole: Gen<Whole>,
        part: Gen<Part>,
        atLeast share: Double = 0.01,
        parts: @escaping @Sendable (Part, Part) -> Bool
    ) -> Property {
        Property(OpticSample.gen(whole, part, OpticNeeds(parts: 1, changes: 1))) { sample in
            classify(!fold.isEmpty(sample.whole), "parts in the whole", atLeast: share)
            try hold(fold, sample, parts)
        }
    }

    /// Returns a property that checks this law for a fold whose parts are `Equatable`.
    ///
    /// Two values are equal if `==` returns `true` and their text has the same Unicode scalars. NaN is equal to NaN.
    /// The overview of ``FunctionalLaws`` states the exceptions.
    ///
    /// - Parameters:
    ///   - fold: The fold to check.
    ///   - whole: Generates wholes, some of which should have a part.
    ///   - part: Generates parts.
    ///   - share: The least share of cases, from 0 to 1, in which the whole must have a part. If fewer have one, the
    ///     property fails, because the law was tested too rarely. Pass 0 to require none.
    public func property<Whole, Part: Equatable & Sendable>(
        of fold: Fold<Whole, Part>, whole: Gen<Whole>, part: Gen<Part>, atLeast share: Double = 0.01
    ) -> Property {
        property(of: fold, whole: whole, part: part, atLeast: share, parts: { isSame($0, $1) })
    }

    private func hold<Whole, Part: Sendable>(
        _ fold: Fold<Whole, Part>,
        _ sample: OpticSample<Whole, Part>,
        _ parts: @escaping @Sendable (Part, Part) -> Bool
    ) throws {
        let verdict = Verdict(law: rawValue)
        let (whole, part) = (sample.whole, sample.part)
        let change = sample.firstChange
        func optional(_ left: Part?, _ right: Part?) -> Bool { same(left, right, parts) }
        func allParts(_ left: [Part], _ right: [Part]) -> Bool { left.elementsEqual(right, by: parts) }
        let all = fold.getAll(whole)
        switch self {
        case .readingTwiceReadsTheSame: try verdict.same(fold.getAll(whole), all, by: allParts)
        case .theAnswersAgree:
            try verdict.same(fold.first(whole), all.first, by: optional)
            try verdict.same(fold.last(whole), all.last, by: optional)
            try verdict.same(
                fold.first(whole) { parts($0, part) }, all.first { parts($0, part) }, by: optional)
            try verdict.same(fold.count(whole), all.count)
            try verdict.same(fold.isEmpty(whole), all.isEmpty)
            try verdict.same(fold.contains(whole) { parts($0, part) }, all.contains { parts($0, part) })
            try verdict.same(fold.allSatisfy(whole) { parts($0, part) }, all.allSatisfy { parts($0, part) })
            try verdict.same(fold.reduce(whole, into: []) { $0.append($1) }, all, by: allParts)
        case .aVisitEndsWhereItIsStopped: try verdict.endsWhereItIsStopped(fold, whole, count: all.count)
        case .foldMapCombinesAll:
            try verdict.same(
                fold.foldMap(whole) { [change($0)] }, [Part].combineAll(all.map { [change($0)] }), by: allParts)
        case .filterSelectsParts:
            try verdict.same(
                fold.filter { !parts($0, part) }.getAll(whole), all.filter { !parts($0, part) }, by: allParts)
        case .compositionIsFlatMap:
            // A part that is changed by the function has two parts, and any other has one.
            let next = Fold<Part, Part>(visit: { part, visit in
                let changed = change(part)
                guard visit(part), !parts(part, changed) else { return }
                _ = visit(changed)
            })
            try verdict.same(
                fold.appending(next).getAll(whole), all.flatMap { next.getAll($0) }, by: allParts)
        case .combiningConcatenates:
            let other = fold.filter { !parts($0, part) }
            try verdict.same(
                fold.combine(other).getAll(whole), all + all.filter { !parts($0, part) }, by: allParts)
            try verdict.same(fold.combine(other).first(whole), all.first, by: optional)
        }
    }
}

extension Verdict {
    /// Requires that a visit of the `count` parts of `whole` ends at each part where its closure returns `false`.
    ///
    /// It calls the visit itself. The operations of a fold ignore the parts that are visited after the end.
    func endsWhereItIsStopped<Whole, Part>(_ fold: Fold<Whole, Part>, _ whole: Whole, count: Int) throws(Unmet) {
        for last in 0..<count {
            var visits = 0
            fold.forEach(whole) { _ in
                visits += 1
                return visits <= last
            }
            try same(visits, last + 1)
        }
    }
}
