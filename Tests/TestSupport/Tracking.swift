import Observation

/// A count of how often one tracking notifies.
///
/// Reads the value once, when it is created, and does not track again.
public final class Tracking: Sendable {
    private let notified = Record<Void>()

    public init<Value>(_ read: () -> Value) {
        withObservationTracking {
            _ = read()
        } onChange: { [notified] in
            notified.append(())
        }
    }

    public var notifications: Int { notified.values.count }
}

/// A reader that reads a value, and reads it again each time tracking notifies, as a view does.
@MainActor
public final class TrackingReader<Value: Sendable> {
    public private(set) var values: [Value] = []
    private let read: @MainActor () -> Value

    public init(_ read: @escaping @MainActor () -> Value) {
        self.read = read
        track()
    }

    private func track() {
        values.append(
            withObservationTracking(read) { [weak self] in
                // The old tracking still exists during the notification. A view is evaluated after it.
                Task { @MainActor in self?.track() }
            })
    }
}

/// An observable value with which a test ends a tracking that also reads something else.
public final class ObservedFlag: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    public init() {}

    public var isRaised: Bool {
        registrar.access(self, keyPath: \.isRaised)
        return false
    }

    /// Notifies all observers that track the flag.
    public func notify() {
        registrar.willSet(self, keyPath: \.isRaised)
        registrar.didSet(self, keyPath: \.isRaised)
    }
}

/// Yields until `condition` holds, or until the task is cancelled, as a test is that exceeds its time limit.
@MainActor
public func yield(until condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
