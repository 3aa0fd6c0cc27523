import Optics

/// What every prism must keep.
enum PrismLaw: CaseIterable {
    case embedWhatYouExtract
    case extractWhatYouEmbed
    case changingNothingChangesNothing
    case twoChangesAreOne
    case settingIsAConstantChange
    case aMissIsLeftAloneAndTheClosureNotCalled
    case theAnswersAgree
    case changingIsExtractingAndEmbedding
}

extension PrismLaw {
    func holds<Whole: Equatable, Part: Equatable>(
        for prism: Prism<Whole, Part>,
        _ sample: Sample<Whole, Part>
    ) -> Bool {
        let (whole, part) = (sample.whole, sample.part)
        switch self {
        case .embedWhatYouExtract:
            return prism.extract(whole).map(prism.embed) ?? whole == whole
        case .extractWhatYouEmbed:
            return prism.extract(prism.embed(part)) == part
        case .changingNothingChangesNothing:
            return prism.modifying(whole) { _ in } == whole
        case .twoChangesAreOne:
            let twice = prism.modifying(prism.modifying(whole, sample.change), sample.second)
            let once = prism.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            return twice == once
        case .settingIsAConstantChange:
            return prism.setting(whole, part) == prism.modifying(whole) { $0 = part }
        case .aMissIsLeftAloneAndTheClosureNotCalled:
            var calls = 0
            var changed = whole
            let answer: Void? = prism.modify(&changed) { _ in calls += 1 }
            let present = prism.extract(whole) != nil
            let wasSet = prism.set(&changed, part)
            return calls == (present ? 1 : 0) && (answer != nil) == present && wasSet == present
                && (present || changed == whole)
        case .theAnswersAgree:
            let expected = prism.extract(whole).map(Matching<Whole, Part>.matched) ?? .unmatched(whole)
            return prism.getOrModify(whole) == expected && prism.matches(whole) == (prism.extract(whole) != nil)
        case .changingIsExtractingAndEmbedding:
            guard var expected = prism.extract(whole) else { return true }
            sample.change(&expected)
            return prism.modifying(whole, sample.change) == prism.embed(expected)
        }
    }
}
