import FunctionalCore
import Testing

/// The drivers whose end has not been checked, by their numbers, with the places where they were created.
///
/// A driver that a closure keeps alive, such as an observer of its own component, is not deallocated, so it never makes
/// the checks of `finish`. No code runs at the end of each test, so the process fails when it exits.
enum OpenDrivers {
    private static let places = {
        atExit { OpenDrivers.reportAll() }
        return Locked<[Int: SourceLocation]>([:])
    }()

    /// Adds a driver. Removes it if `place` is `nil`.
    static func set(_ place: SourceLocation?, of driver: Int) {
        places.withLock { $0[driver] = place }
    }

    private static func reportAll() {
        let places = places.withLock { $0 }
        for (_, place) in places.sorted(by: { $0.key < $1.key }) { report(DriverText.neverFinished(place)) }
        if !places.isEmpty { failExit() }
    }
}
