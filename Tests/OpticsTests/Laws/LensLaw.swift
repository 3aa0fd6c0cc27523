import Optics

/// What every lens must keep, for a whole, two parts and two changes of the part.
enum LensLaw: CaseIterable {
    case setWhatYouGet
    case getWhatYouSet
    case theLastSetCounts
    case changingNothingChangesNothing
    case twoChangesAreOne
    case settingIsAConstantChange
    case copiesAreNotChanged
    case theClosureRunsOnceAndItsErrorIsThrown
}

extension LensLaw {
    func holds<Whole: Equatable, Part: Equatable>(
        for lens: Lens<Whole, Part>,
        _ sample: Sample<Whole, Part>
    ) -> Bool {
        let (whole, part) = (sample.whole, sample.part)
        switch self {
        case .setWhatYouGet:
            return lens.setting(whole, lens.get(whole)) == whole
        case .getWhatYouSet:
            return lens.get(lens.setting(whole, part)) == part
        case .theLastSetCounts:
            return lens.setting(lens.setting(whole, sample.other), part) == lens.setting(whole, part)
        case .changingNothingChangesNothing:
            return lens.modifying(whole) { _ in } == whole
        case .twoChangesAreOne:
            let twice = lens.modifying(lens.modifying(whole, sample.change), sample.second)
            let once = lens.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            return twice == once
        case .settingIsAConstantChange:
            return lens.setting(whole, part) == lens.modifying(whole) { $0 = part }
        case .copiesAreNotChanged:
            var changed = whole
            let copy = changed
            lens.modify(&changed, sample.change)
            return copy == whole && changed == lens.modifying(whole, sample.change)
        case .theClosureRunsOnceAndItsErrorIsThrown:
            var calls = 0
            var changed = whole
            let seen = lens.modify(&changed) { part in
                calls += 1
                return part
            }
            let stays = changed == whole
            do throws(Refusal) {
                try lens.modify(&changed) { (_: inout Part) throws(Refusal) -> Void in throw Refusal() }
                return false
            } catch {
                return calls == 1 && seen == lens.get(whole) && stays && changed == whole
            }
        }
    }
}
