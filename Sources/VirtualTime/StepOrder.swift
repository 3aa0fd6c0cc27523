/// An order of the steps of a concurrent program, as a list of choices.
///
/// A ``ManualExecutor`` or a ``VirtualScheduler`` that is created with an order makes a choice whenever several steps
/// are possible. A step runs a job that is ready, or wakes a task whose deadline the clock has reached. If the order
/// races time, a step can also advance the clock to the next deadline while jobs are ready, as if these jobs were slow.
///
/// Each choice is the index of a step among the possible ones, modulo their number. The jobs come first, in the order
/// in which they became ready. The step that wakes a task comes last. A step that is the only possible one needs no
/// choice. After the last choice of the order, each further choice is 0. So an order without choices is first in, first
/// out.
///
/// ```swift
/// let scheduler = VirtualScheduler(order: StepOrder([1]))
/// let log = Log()
/// for name in ["a", "b", "c"] { scheduler.start { log.append(name) } }
/// scheduler.drain()
/// #expect(log.lines == ["b", "a", "c"])
/// ```
///
/// The module `PropertyTesting` generates orders, and finds one that makes a test fail.
///
/// The idea to test programs in orders that differ by few choices from the usual one is from Emmi, Qadeer and
/// Rakamarić, "Delay-Bounded Scheduling" (POPL 2011).
public struct StepOrder: Sendable, Hashable, CustomStringConvertible {
    /// The choices up to the last one that is not 0.
    public let choices: [Int]
    /// Whether the clock may be advanced to the next deadline while jobs are ready.
    public let racesTime: Bool
    /// The log of the choices that programs make in this order, or `nil` if the choices are not logged.
    package let log: StepLog?

    /// Creates an order.
    ///
    /// Traps if a choice is negative.
    ///
    /// - Parameters:
    ///   - choices: The choices. Zeros at the end have no effect, and are removed.
    ///   - racesTime: Whether the clock may be advanced to the next deadline while jobs are ready.
    public init(_ choices: [Int] = [], racingTime racesTime: Bool = false) {
        self.init(choices, racingTime: racesTime, log: nil)
    }

    package init(_ choices: [Int], racingTime racesTime: Bool, log: StepLog?) {
        if let choice = choices.first(where: { $0 < 0 }) {
            fatalError("A StepOrder has the choice \(choice). To fix, pass choices that are 0 or more.")
        }
        self.choices = Self.withoutLastZeros(choices[...])
        self.racesTime = racesTime
        self.log = log
    }

    /// Returns whether two orders have the same choices, and both or none of them race time.
    public static func == (left: StepOrder, right: StepOrder) -> Bool {
        left.choices == right.choices && left.racesTime == right.racesTime
    }

    /// Hashes the choices, and whether the order races time.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(choices)
        hasher.combine(racesTime)
    }

    private static func withoutLastZeros(_ choices: ArraySlice<Int>) -> [Int] {
        Array(choices.prefix((choices.lastIndex { $0 != 0 } ?? -1) + 1))
    }

    /// Source code that creates the order, such as `StepOrder([0, 2])`.
    ///
    /// If a program has run in an order that a generator has generated, the code contains only the choices that the
    /// program has made.
    public var description: String {
        let made = log?.stepCounts.count ?? 0
        let choices = made == 0 ? choices : Self.withoutLastZeros(choices.prefix(made))
        let parts = (choices.isEmpty ? [] : ["\(choices)"]) + (racesTime ? ["racingTime: true"] : [])
        return "StepOrder(\(parts.joined(separator: ", ")))"
    }
}
