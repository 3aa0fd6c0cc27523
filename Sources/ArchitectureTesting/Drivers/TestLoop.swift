import FunctionalCore
public import Loop
public import Optics
public import Testing
public import VirtualTime

/// A test driver for an update with its effect handler and event sources, in which the test states everything that
/// happens. Synchronous, in virtual time.
///
/// ```swift
/// let time = VirtualScheduler()
/// let test = TestLoop(Mobius.loop(update: update, effectHandler: router(time.clock)), from: Model(), time: time)
///
/// test.send(.load(5)) { $0.isLoading = true }
/// test.effects(.fetch(5))
/// test.advance(by: .seconds(1))
/// test.receive(.loaded("post 5")) { $0 = Model(title: "post 5") }
/// test.finish()
/// ```
///
/// The driver starts a loop as an app does, with an executor that it drains: tasks of handlers and event sources that
/// name no executor of their own run there. After each call, everything has happened that does not wait.
///
/// An issue is recorded for everything that the test does not state: models, events of handlers and sources, effects,
/// work that is under way, and calls that a ``Recorder`` has recorded. See ``TestAxes`` and ``TestDriver``.
///
/// To test an update function or a handler alone, ``UpdateSpec`` and ``HandlerSpec`` are simpler.
public final class TestLoop<Model: Equatable & Sendable, Event: Sendable, Effect: Sendable>: AnyTestDriver<Model> {
    /// The loop that the driver runs. Events that are sent to it directly have to be received by the test.
    public let loop: MobiusLoop<Model, Event, Effect>

    /// Creates a driver that starts a loop.
    ///
    /// - Parameters:
    ///   - builder: The configuration of the loop. The driver replaces its trace and its executor.
    ///   - model: The first model.
    ///   - effects: The effects to handle first. They need not be stated.
    ///   - time: The clock and the executor. Handlers take its clock.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    public init(
        _ builder: Mobius.Builder<Model, Event, Effect>,
        from model: Model,
        effects: [Effect] = [],
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let core = DriverCore(
            DriverWords(message: "event", outside: "the loop"), state: model, time: time, calls: calls,
            relaxing: relaxed, origin: sourceLocation, isPermanent: { _, source in source == .eventSource })
        loop =
            builder
            .withTrace(core.trace).withExecutor(time.executor)
            .adding(EffectLogger { [log = core.log] in log.note($0) })
            .start(from: model, effects: effects)
        super.init(core)
        core.settle(sourceLocation)
    }

    deinit { core.finishAtOrigin() }
}

/// Passes on the effects of each update.
private struct EffectLogger<Model, Event, Effect: Sendable>: MobiusLogger {
    let note: @Sendable ([any Sendable]) -> Void

    func didUpdate(event: Event, next: Next<Model, Effect>) {
        note(next.effects)
    }
}

// MARK: - Stating what happens

extension TestLoop {
    /// Sends an event, and states its change of the model.
    ///
    /// Everything that happened before must have been stated, and the effects of the last event, too. `change` is
    /// applied to a copy of the model that the test has stated so far. Without it, the model must not change.
    @discardableResult
    public func send(
        _ event: Event, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Model) -> Void)? = nil
    ) -> Sent {
        core.send(event, at: sourceLocation, change, by: { loop.dispatchEvent(event) })
    }

    /// Expects that the event that was stated last has exactly these effects, in any order.
    public func effects(_ expected: Effect..., sourceLocation: SourceLocation = #_sourceLocation)
    where Effect: Equatable {
        let (actual, event) = core.takeEffects()
        let difference = EffectDifference(from: expected, to: actual.compactMap { $0 as? Effect })
        if difference.missing.isEmpty, difference.unexpected.isEmpty { return }
        let lines = difference.lines(showingAllUnexpected: true)
        core.fail([report("The effects of \(event ?? "the last event") differ", lines)], sourceLocation)
    }

    /// Expects that the next event that the test has not sent equals `event`, and states its change of the model.
    public func receive(
        _ event: Event, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Model) -> Void)? = nil
    ) where Event: Equatable {
        core.receive(equal: event, at: sourceLocation, change)
    }

    /// Receives an event of the case that a prism selects, and returns its part; see ``receive(_:sourceLocation:_:)``.
    @discardableResult
    public func receive<Part>(
        _ prism: some PrismProtocol<Event, Part>, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Model) -> Void)? = nil
    ) -> Part? {
        let prism = prism.asPrism
        return core.receive(matching: "that the prism matches", at: sourceLocation, change) { (event: Event) in
            prism.extract(event)
        }
    }

    /// Receives an event that satisfies a predicate, and returns it; see ``receive(_:sourceLocation:_:)``.
    @discardableResult
    public func receive(
        where isExpected: (Event) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Model) -> Void)? = nil
    ) -> Event? {
        core.receive(matching: "that satisfies the predicate", at: sourceLocation, change) { (event: Event) in
            isExpected(event) ? event : nil
        }
    }

    /// Disposes the loop, and with it all work that is under way.
    public func dispose(sourceLocation: SourceLocation = #_sourceLocation) {
        loop.dispose()
        core.settle(sourceLocation)
    }
}
