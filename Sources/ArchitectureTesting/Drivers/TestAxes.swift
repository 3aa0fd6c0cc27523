/// What a test driver checks without being asked: everything that happens has to be stated by the test.
///
/// A test can relax an axis. What it does not state on that axis is then reported as a warning, and does not fail the
/// test.
///
/// ```swift
/// let test = TestDriver(screen, state: Screen(), environment: api, relaxing: .work)
/// ```
public struct TestAxes: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set with the given bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Every change of the state. If it is relaxed, the closure of an expectation states only some of the changes: it
    /// must not change the state that is there.
    public static let state = TestAxes(rawValue: 1)
    /// Every input, event and action that the test has not sent itself.
    public static let messages = TestAxes(rawValue: 2)
    /// All work that was started and has not ended, every failure of a work, and the effects of a loop's updates.
    public static let work = TestAxes(rawValue: 4)
    /// Every call that a ``Recorder`` has recorded.
    public static let calls = TestAxes(rawValue: 8)
    /// All axes.
    public static let all: TestAxes = [.state, .messages, .work, .calls]
}
