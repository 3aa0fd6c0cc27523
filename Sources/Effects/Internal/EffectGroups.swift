import ArchitectureEngine
import FunctionalCore

/// The registrations of effects that were registered as groups, as long as those run.
///
/// Unchecked: touched under the lock alone.
final class EffectGroups: @unchecked Sendable {
    private let lock = Locked()
    private var groups: [AnyHashable: [Int: EffectRegistration]] = [:]
    private var next = 0

    /// Any thread, at once.
    func add(_ registrations: [EffectRegistration], to group: AnyHashable) {
        lock.withLock {
            for registration in registrations {
                registration.run.place?.index = next
                groups[group, default: [:]][next] = registration
                next += 1
            }
        }
    }

    /// A group holds those of its effects alone that run.
    func remove(_ place: GroupPlace) {
        // Let go of outside of the lock.
        _ = lock.withLock {
            let removed = groups[place.group]?.removeValue(forKey: place.index)
            if groups[place.group]?.isEmpty == true { groups[place.group] = nil }
            return removed
        }
    }

    /// Any thread, at once.
    func cancel(_ group: AnyHashable) {
        let registrations = lock.withLock { groups.removeValue(forKey: group) } ?? [:]
        for (_, registration) in registrations.sorted(by: { $0.key < $1.key }) { registration.cancel() }
    }
}

/// Where an effect stands in its group.
///
/// Unchecked: touched under the lock of the groups alone.
final class GroupPlace: @unchecked Sendable {
    let group: AnyHashable
    fileprivate(set) var index = 0

    init(in group: AnyHashable) {
        self.group = group
    }
}
