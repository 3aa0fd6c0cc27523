/// The task-local values that a component, a store or a loop passes on from the sender of a message to the work that the
/// message causes.
///
/// Without them, asynchronous work sees the default value of each task-local, whichever thread starts it. An owner that
/// carries values reads them at each send, and binds them for the work:
///
/// ```swift
/// enum Request { @TaskLocal static var id = "none" }
///
/// let component = Component(
///     initialState: Orders(), environment: shop, carrying: .taskLocals(Request.$id), dispatcher: orders)
/// // The work of this input sees "r-7".
/// Request.$id.withValue("r-7") { _ = component.send(.place("tea")) }
/// ```
///
/// The article <doc:Cancellation> lists what sees the values.
public struct CarriedValues: Sendable {
    fileprivate let locals: [any CarriedLocal]

    /// Returns the given task-locals, to be carried.
    ///
    /// - Complexity: Each send and each start of work costs O(n) in the number of task-locals.
    public static func taskLocals<each Value: Sendable>(_ locals: repeat TaskLocal<each Value>) -> CarriedValues {
        var carried: [any CarriedLocal] = []
        for local in repeat each locals { carried.append(local) }
        return CarriedValues(locals: carried)
    }
}

/// A task-local whose value can be read at a send and bound later.
private protocol CarriedLocal: Sendable {
    var captured: any CapturedValue { get }
}

extension TaskLocal: CarriedLocal {
    fileprivate var captured: any CapturedValue { Captured(local: self, value: get()) }
}

private protocol CapturedValue: Sendable {
    func bind(_ body: () -> Void)
    func bind(_ body: @Sendable () async -> Void) async
}

private struct Captured<Value: Sendable>: CapturedValue {
    let local: TaskLocal<Value>
    let value: Value

    func bind(_ body: () -> Void) { local.withValue(value, operation: body) }
    func bind(_ body: @Sendable () async -> Void) async { await local.withValue(value, operation: body) }
}

/// The values of task-locals that were read at a send.
@usableFromInline
package final class CapturedValues: Sendable {
    private let values: [any CapturedValue]

    @usableFromInline
    package init(_ carried: CarriedValues) {
        values = carried.locals.map(\.captured)
    }

    /// Calls `body` with the values bound.
    @usableFromInline
    @inline(never)
    package func bind(_ body: () -> Void) {
        bind(values[...], body)
    }

    private func bind(_ values: ArraySlice<any CapturedValue>, _ body: () -> Void) {
        guard let first = values.first else { return body() }
        first.bind { bind(values.dropFirst(), body) }
    }

    fileprivate func bind(_ body: @Sendable () async -> Void) async {
        await bind(values[...], body)
    }

    private func bind(_ values: ArraySlice<any CapturedValue>, _ body: @Sendable () async -> Void) async {
        guard let first = values.first else { return await body() }
        await first.bind { await bind(values.dropFirst(), body) }
    }
}

extension CapturedValues? {
    /// Calls `body` with the values bound, if there are any.
    package func bind(_ body: () -> Void) {
        if let self { self.bind(body) } else { body() }
    }
}

/// What work takes from the sender of its message: the values that the owner carries, and the priority.
@frozen
@usableFromInline
package struct SendContext: Sendable {
    /// The carried values, or `nil` if the owner carries none.
    @usableFromInline package let values: CapturedValues?
    /// The raw value of the priority. The layout of `TaskPriority` is known only at run time.
    @usableFromInline package let priority: UInt8

    /// Creates the context of a message that the calling thread sends now.
    ///
    /// - Parameter priority: The raw value of the priority, or 0 for that of the calling task or thread.
    @inlinable
    package init(carrying values: CarriedValues? = nil, priority: UInt8 = 0) {
        self.values = if let values { CapturedValues(values) } else { nil }
        self.priority = priority == 0 ? SendContext.currentPriority : priority
    }

    @usableFromInline
    @inline(never)
    package static var currentPriority: UInt8 { Task.currentPriority.rawValue }

    /// Starts a task that runs `body` with this context and the current cause of a trace. Of the calling thread, it takes
    /// only that cause.
    ///
    /// On an executor that a test drains, the drain creates the task. This task inherits the task-local values of the
    /// draining thread, so that an expectation in `body` belongs to the test.
    ///
    /// - Parameters:
    ///   - executor: The executor of the task; `nil` is the global executor.
    ///   - attach: Receives the task.
    ///   - body: The work of the task.
    package func startTask(
        on executor: (any TaskExecutor)?, attach: @escaping @Sendable (Task<Void, Never>) -> Void = { _ in },
        _ body: @escaping @Sendable () async -> Void
    ) {
        let (values, cause, isSilent) = (values, TraceCause.current, Reporting.isSilent)
        var run = body
        if let values { run = { await values.bind(body) } }
        if cause != nil { run = { [run] in await TraceCause.$current.withValue(cause, operation: run) } }
        if isSilent { run = { [run] in await Reporting.$isSilent.withValue(true, operation: run) } }
        let priority = TaskPriority(rawValue: priority)
        if let executor = executor as? any HandDrainedExecutor {
            executor.enqueueStart { [run] in
                attach(Task(executorPreference: executor, priority: priority, operation: run))
            }
        } else {
            attach(Task.detached(executorPreference: executor, priority: priority, operation: run))
        }
    }
}

/// An executor that a test drains. A drain calls each enqueued start in turn, and runs the first job of the task that
/// the start creates as part of the same turn.
package protocol HandDrainedExecutor: TaskExecutor {
    func enqueueStart(_ start: @escaping @Sendable () -> Void)
}
