import Optics

/// What everything with at most one part must keep.
enum AffineLaw: CaseIterable {
    case setWhatYouExtract
    case extractWhatYouSet
    case theLastSetCounts
    case changingNothingChangesNothing
    case twoChangesAreOne
    case settingIsAConstantChange
    case whereThereIsNoPartNothingHappens
    case theAnswersAgree
    case theErrorIsThrown
}

extension AffineLaw {
    func holds<Whole: Equatable, Part: Equatable>(
        for affine: Affine<Whole, Part>,
        _ sample: Sample<Whole, Part>
    ) -> Bool {
        let (whole, part) = (sample.whole, sample.part)
        switch self {
        case .setWhatYouExtract:
            return affine.extract(whole).map { affine.setting(whole, $0) } ?? whole == whole
        case .extractWhatYouSet:
            return affine.extract(affine.setting(whole, part)) == affine.extract(whole).map { _ in part }
        case .theLastSetCounts:
            return affine.setting(affine.setting(whole, sample.other), part) == affine.setting(whole, part)
        case .changingNothingChangesNothing:
            return affine.modifying(whole) { _ in } == whole
        case .twoChangesAreOne:
            let twice = affine.modifying(affine.modifying(whole, sample.change), sample.second)
            let once = affine.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            return twice == once
        case .settingIsAConstantChange:
            return affine.setting(whole, part) == affine.modifying(whole) { $0 = part }
        case .whereThereIsNoPartNothingHappens:
            var calls = 0
            var changed = whole
            let answer: Void? = affine.modify(&changed) { _ in calls += 1 }
            let present = affine.extract(whole) != nil
            let wasSet = affine.set(&changed, part)
            return calls == (present ? 1 : 0) && (answer != nil) == present && wasSet == present
                && (present || changed == whole)
        case .theAnswersAgree:
            let expected = affine.extract(whole).map(Matching<Whole, Part>.matched) ?? .unmatched(whole)
            return affine.getOrModify(whole) == expected && affine.matches(whole) == (affine.extract(whole) != nil)
        case .theErrorIsThrown:
            var changed = whole
            do throws(Refusal) {
                try affine.modify(&changed) { (_: inout Part) throws(Refusal) -> Void in throw Refusal() }
                return !affine.matches(whole) && changed == whole
            } catch {
                return affine.matches(whole) && changed == whole
            }
        }
    }
}
