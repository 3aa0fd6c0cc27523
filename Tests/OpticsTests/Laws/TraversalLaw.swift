import Optics

/// What every traversal must keep.
enum TraversalLaw: CaseIterable {
    case readWhatYouChanged
    case theAnswersAgree
    case settingTwiceIsSettingOnce
    case changingNothingChangesNothing
    case twoChangesAreOne
    case settingIsAConstantChange
    case effectsRunInOrder
    case anEffectThatFailsStopsThere
    case twoEffectsAreOne
}

extension TraversalLaw {
    func holds<Whole: Equatable, Part: Equatable>(
        for traversal: Traversal<Whole, Part>,
        _ sample: Sample<Whole, Part>
    ) -> Bool {
        let (whole, part) = (sample.whole, sample.part)
        let all = traversal.getAll(whole)
        switch self {
        case .readWhatYouChanged:
            return traversal.getAll(traversal.modifying(whole, sample.change)) == all.map(changed(by: sample.change))
        case .theAnswersAgree:
            return traversal.first(whole) == all.first && traversal.count(whole) == all.count
                && traversal.isEmpty(whole) == all.isEmpty
                && traversal.contains(whole) { $0 == part } == all.contains(part)
                && traversal.allSatisfy(whole) { $0 == part } == all.allSatisfy { $0 == part }
        case .settingTwiceIsSettingOnce:
            let once = traversal.setting(whole, part)
            return traversal.setting(once, part) == once
        case .changingNothingChangesNothing:
            return traversal.modifying(whole) { _ in } == whole
        case .twoChangesAreOne:
            let twice = traversal.modifying(traversal.modifying(whole, sample.change), sample.second)
            let once = traversal.modifying(whole) { part in
                sample.change(&part)
                sample.second(&part)
            }
            return twice == once
        case .settingIsAConstantChange:
            return traversal.setting(whole, part) == traversal.modifying(whole) { $0 = part }
        case .effectsRunInOrder:
            var seen: [Part] = []
            var copy = whole
            traversal.modify(&copy) { seen.append($0) }
            return seen == all
        case .anEffectThatFailsStopsThere:
            var calls = 0
            do throws(Refusal) {
                _ = try traversal.modifying(whole) { (_: inout Part) throws(Refusal) -> Void in
                    calls += 1
                    if calls == 2 { throw Refusal() }
                }
                return all.count < 2
            } catch {
                return all.count >= 2 && calls == 2
            }
        case .twoEffectsAreOne:
            // The effect is to number the parts: each change takes the next number.
            func numbered(_ change: @escaping (inout Part) -> Void) -> ((inout Part) -> Void, () -> Int) {
                var calls = 0
                let counting: (inout Part) -> Void = { part in
                    calls += 1
                    if calls % 2 == 1 { change(&part) }
                }
                return (counting, { calls })
            }
            let (first, firstCalls) = numbered(sample.change)
            let (second, secondCalls) = numbered(sample.second)
            let twice = traversal.modifying(traversal.modifying(whole, first), second)
            let (third, _) = numbered(sample.change)
            let (fourth, _) = numbered(sample.second)
            let once = traversal.modifying(whole) { part in
                third(&part)
                fourth(&part)
            }
            return twice == once && firstCalls() == all.count && secondCalls() == all.count
        }
    }
}

private func changed<Part>(by change: @escaping (inout Part) -> Void) -> (Part) -> Part {
    { part in
        var part = part
        change(&part)
        return part
    }
}
