import FunctionalCore
public import Testing
import VirtualTime

/// A record of the calls of an environment's functions in a test.
///
/// ```swift
/// let calls = Recorder()
/// let api = API(
///     load: calls.stub("load") { id in "post \(id)" },
///     delete: calls.unstubbed("delete"),
///     count: calls.unstubbed("count", returning: 0))
/// #expect(try await api.load(5) == "post 5")
/// calls.expectCall("load", 5)
/// calls.expectNoCalls()
/// ```
///
/// A function that `stub` returns records each call, and then calls its body. A function that `unstubbed` returns fails
/// the test if it is called. The test states the calls in order, with ``expectCall(_:_:sourceLocation:)``.
///
/// Pass the recorder to a test driver as its `calls`. Calls in a driver that does not have the recorder are reported
/// when the recorder is deallocated, unless the test has expected them.
///
/// The order of the calls is the order in which they are recorded. The functions may be called from any thread, and
/// run where any function of their type would run. The recorder retains the arguments of all calls.
///
/// An environment whose functions are closures in a struct can be recorded as above. A recorder cannot implement a
/// protocol. For an environment that is a protocol, write an implementation for tests, and let each method record its
/// call with ``record(_:_:)``:
///
/// ```swift
/// struct RecordedService: Service {
///     let calls: Recorder
///
///     func load(_ id: Int) async throws(ServiceError) -> String {
///         calls.record("load", id)
///         return "post \(id)"
///     }
/// }
/// ```
///
/// Do the same for a function with typed throws, and for a generic function.
public final class Recorder: Sendable {
    private struct State: Sendable {
        var calls: [RecordedCall] = []
        /// The names of the functions, and of the calls that `record(_:_:)` has recorded.
        var names: [String] = []
        /// The executors of the drivers that are attached, by the numbers of the drivers.
        var executors: [Int: ManualExecutor] = [:]
        /// The numbers of the drivers that have been attached.
        var drivers: Set<Int> = []
        /// The calls of unstubbed functions that a driver has not taken.
        var unstubbed: [UnstubbedCall] = []

        mutating func insert(name: String) {
            if !names.contains(name) { names.append(name) }
        }
    }

    private let state = Locked(State())
    private let sourceLocation: SourceLocation

    /// Creates a recorder without calls.
    ///
    /// - Parameter sourceLocation: The place where issues are recorded about calls in test drivers that do not have the
    ///   recorder. By default, the call of this initializer.
    public init(sourceLocation: SourceLocation = #_sourceLocation) {
        self.sourceLocation = sourceLocation
    }

    deinit {
        for call in takeUnstubbedCalls() { ArchitectureTesting.record([call.failure], call.sourceLocation) }
        let drivers = state.withLock { $0.drivers }
        let strays = all.filter { call in call.isLeft && call.driver.map { !drivers.contains($0) } == true }
        ArchitectureTesting.record([Self.failure(withoutDriver: strays)], sourceLocation)
    }

    /// All calls so far, in the order in which they were recorded.
    public var all: [RecordedCall] { state.withLock { $0.calls } }

    /// Records a call, for functions that `stub` cannot create.
    ///
    /// May be called from any thread.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - arguments: The arguments of the call.
    public func record<each Argument: Sendable>(_ name: String, _ arguments: repeat each Argument) {
        append(name, values(repeat each arguments), unstubbedAt: nil)
    }

    // MARK: - Stubs

    /// Returns a function that records each call, and then calls `body`.
    ///
    /// ```swift
    /// API(load: calls.stub("load") { id in "post \(id)" })
    /// ```
    ///
    /// The result has the type of the body. The types of the arguments follow from the place where the result is used,
    /// or from the body. An existing function may be the body, for example one of the real environment.
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - body: The function to call.
    public func stub<each Argument: Sendable, Result>(
        _ name: String, _ body: @escaping @Sendable (repeat each Argument) -> Result
    ) -> @Sendable (repeat each Argument) -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            self.record(name, repeat each arguments)
            return body(repeat each arguments)
        }
    }

    /// Returns a function that records each call, and then calls `body`, which may throw.
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - body: The function to call.
    public func stub<each Argument: Sendable, Result>(
        _ name: String, _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) -> @Sendable (repeat each Argument) throws -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            self.record(name, repeat each arguments)
            return try body(repeat each arguments)
        }
    }

    /// Returns an asynchronous function that records each call, and then calls `body`.
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - body: The function to call.
    public func stub<each Argument: Sendable, Result>(
        _ name: String, _ body: @escaping @Sendable (repeat each Argument) async -> Result
    ) -> @Sendable (repeat each Argument) async -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            self.record(name, repeat each arguments)
            return await body(repeat each arguments)
        }
    }

    /// Returns an asynchronous function that records each call, and then calls `body`, which may throw.
    ///
    /// ```swift
    /// API(
    ///     load: calls.stub("load") { id in
    ///         try await time.clock.sleep(for: .seconds(1))
    ///         return "post \(id)"
    ///     })
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - body: The function to call.
    public func stub<each Argument: Sendable, Result>(
        _ name: String, _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
    ) -> @Sendable (repeat each Argument) async throws -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            self.record(name, repeat each arguments)
            return try await body(repeat each arguments)
        }
    }

    // MARK: - Functions that must not be called

    /// Returns a function that must not be called. It records an issue, and throws ``Unstubbed``.
    ///
    /// If a test driver has the recorder, the driver records the issue, at the line of the `send` that led to the call.
    /// If nothing in the driver led to the call, the issue has the line of this method's call. Without a driver, the
    /// issue is recorded at that line, too, on the thread of the function's call.
    ///
    /// The call appears in ``all``. It needs no expectation.
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - sourceLocation: The place where issues are recorded without a driver. By default, the call of this method.
    public func unstubbed<each Argument: Sendable, Result>(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> @Sendable (repeat each Argument) throws -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            let arguments = values(repeat each arguments)
            throw Unstubbed(call: self.append(name, arguments, unstubbedAt: sourceLocation))
        }
    }

    /// Returns a function that must not be called. It records an issue, and returns `value`.
    ///
    /// Use this method for functions that do not throw. The issue is recorded where that of
    /// ``unstubbed(_:sourceLocation:)`` is recorded.
    ///
    /// - Parameters:
    ///   - name: The name of the function in expectations and messages. By convention, that of the member.
    ///   - value: The result of the function, `()` for a function without result.
    ///   - sourceLocation: The place where issues are recorded without a driver. By default, the call of this method.
    public func unstubbed<each Argument: Sendable, Result: Sendable>(
        _ name: String, returning value: Result, sourceLocation: SourceLocation = #_sourceLocation
    ) -> @Sendable (repeat each Argument) -> Result {
        insert(name)
        return { (arguments: repeat each Argument) in
            self.append(name, values(repeat each arguments), unstubbedAt: sourceLocation)
            return value
        }
    }

    // MARK: - Recording

    private func insert(_ name: String) {
        state.withLock { $0.insert(name: name) }
    }

    @discardableResult
    private func append(
        _ name: String, _ arguments: [any Sendable], unstubbedAt location: SourceLocation?
    ) -> RecordedCall {
        let cause = TraceCause.current
        let (call, executors) = state.withLock { state in
            let call = RecordedCall(
                number: state.calls.count + 1, name: name, arguments: arguments, causeID: cause?.id,
                rootID: cause?.root.id, isUnstubbed: location != nil)
            state.insert(name: name)
            state.calls.append(call)
            let executors = state.executors
            if let location, !executors.isEmpty {
                state.unstubbed.append(UnstubbedCall(call: call, sourceLocation: location))
            }
            return (call, executors)
        }
        // Only the driver in which the call was made can expect the call.
        let own = call.driver.flatMap { executors[$0] }
        for executor in own.map({ [$0] }) ?? Array(executors.values) { executor.noteArrival() }
        if let location, executors.isEmpty { ArchitectureTesting.record(["\(Unstubbed(call: call))"], location) }
        return call
    }
}

private func values<each Value: Sendable>(_ value: repeat each Value) -> [any Sendable] {
    var values: [any Sendable] = []
    repeat values.append(each value)
    return values
}

// MARK: - Drivers

extension Recorder {
    /// Attaches a driver, which then records the issues about calls of unstubbed functions.
    ///
    /// Each attached driver must call ``detach(_:)`` once. Calls of unstubbed functions that no driver takes are reported
    /// when the recorder is deallocated.
    ///
    /// - Parameters:
    ///   - driver: The number of the driver; see ``RecordedCall/driver``.
    ///   - executor: The executor of the driver, on which calls are noted as arrivals.
    package func attach(as driver: Int, on executor: ManualExecutor) {
        state.withLock { state in
            state.executors[driver] = executor
            state.drivers.insert(driver)
        }
    }

    /// Detaches a driver. If no other driver is attached, the recorder itself then records the issues about calls of
    /// unstubbed functions.
    package func detach(_ driver: Int) {
        // The executor is released outside of the lock.
        _ = state.withLock { $0.executors.removeValue(forKey: driver) }
    }

    /// Removes and returns the calls of unstubbed functions that no driver has taken, in the order of the calls.
    package func takeUnstubbedCalls() -> [UnstubbedCall] {
        state.withLock { state in
            defer { state.unstubbed = [] }
            return state.unstubbed
        }
    }

    /// The names of all functions.
    var names: [String] { state.withLock { $0.names } }

    func markAsExpected(_ call: RecordedCall) {
        state.withLock { $0.calls[call.number - 1].isExpected = true }
    }
}
