import Optics

/// What every iso must keep.
enum IsoLaw: CaseIterable {
    case backFromThere
    case thereFromBack
    case changingNothingChangesNothing
    case twoChangesAreOne
    case settingIsAConstantChange
    case reversedTwiceIsTheSame
}

extension IsoLaw {
    func holds<Whole: Equatable, Part: Equatable>(
        for iso: Iso<Whole, Part>,
        _ sample: Sample<Whole, Part>
    ) -> Bool {
        let (whole, part) = (sample.whole, sample.part)
        switch self {
        case .backFromThere:
            return iso.reverseGet(iso.get(whole)) == whole
        case .thereFromBack:
            return iso.get(iso.reverseGet(part)) == part
        case .changingNothingChangesNothing:
            return iso.modifying(whole) { _ in } == whole
        case .twoChangesAreOne:
            let twice = iso.modifying(iso.modifying(whole, sample.change), sample.second)
            let once = iso.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            return twice == once
        case .settingIsAConstantChange:
            var changed = whole
            iso.set(&changed, part)
            return iso.setting(whole, part) == iso.modifying(whole) { $0 = part } && changed == iso.setting(whole, part)
        case .reversedTwiceIsTheSame:
            let again = iso.reversed.reversed
            return again.get(whole) == iso.get(whole) && again.reverseGet(part) == iso.reverseGet(part)
                && iso.reversed.get(part) == iso.reverseGet(part)
        }
    }
}
