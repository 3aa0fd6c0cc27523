/// The kinds of facts that a test driver checks. The test has to state everything that happens on these axes.
///
/// A test can relax an axis. If it does not state something on that axis, the driver records a warning, which does not
/// fail the test. Before Swift 6.3, the warning is written to standard error.
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

    /// Every change of the state.
    ///
    /// If this axis is relaxed, the closure of an expectation may state only some of the changes. The driver applies
    /// the closure to the actual state after the message or the change, which must not change. So the closure has to
    /// assign values, and not add to them. The `state` of the driver is the actual state after everything that has
    /// happened.
    public static let state = TestAxes(rawValue: 1)
    /// Every input, event and action that the test has not sent itself.
    ///
    /// If this axis is relaxed and the test does not receive a message, it also does not have to state the changes that
    /// the message makes without waiting, and the effects of the message.
    public static let messages = TestAxes(rawValue: 2)
    /// All work that was started and has not ended, every failure of a work, and the effects of a loop's updates.
    public static let work = TestAxes(rawValue: 4)
    /// Every call that a ``Recorder`` has recorded.
    public static let calls = TestAxes(rawValue: 8)
    /// All axes.
    public static let all: TestAxes = [.state, .messages, .work, .calls]
}
