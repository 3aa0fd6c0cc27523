import FunctionalCore
public import Loop
public import Optics
public import Testing
public import VirtualTime

/// A test driver for an update with its effect handler and event source, in which the test states everything that
/// happens. Synchronous, in virtual time.
///
/// ```swift
/// let time = VirtualScheduler()
/// let test = TestLoop(Mobius.loop(update: update, effectHandler: handler(time.clock)), from: Model(), time: time)
///
/// let sent = test.send(.open(5)) { $0.isLoading = true }
/// test.effects(.load(5))
/// test.expectWork(sent, .sleeping(until: .seconds(1)))
/// test.advance(by: .seconds(1))
/// test.receive(.loaded("post 5")) { $0 = Model(title: "post 5") }
/// test.finish()
/// ```
///
/// The driver runs a ``loop`` as an app does, with an executor that it drains. When a call returns, everything that
/// does not wait has happened. The test itself never sleeps, and needs no other thread. The test states an event and
/// its change of the model with ``send(_:sourceLocation:_:)``, the effects of the event with
/// `effects(_:)`, and then each event of the effect handler and the event source with `receive`.
///
/// The effect handler accepts the effects of an event before the loop processes the next event. So if a handler sends
/// an event at once, the test states the effects first, and then receives the event.
///
/// An issue is recorded for everything that the test does not state, on four axes: changes of the model, events,
/// effects with the work of their handlers, and calls that a ``Recorder`` has recorded. An axis can be relaxed; see
/// ``TestAxes``. An issue about something that a sent event has caused is recorded at the line of the `send`. If the
/// test does not call ``AnyTestDriver/finish(sourceLocation:)``, the driver makes the same checks when it is
/// deallocated.
///
/// Tasks of the effect handler and of the event source run on the driver's executor, unless a router has an executor of
/// its own. The driver does not run code that leaves the executor: handlers on a queue or on the main actor,
/// `Task.detached` and `Task { }`. Their work is under way until their events arrive from another thread. To wait for
/// that, make the statement in ``AnyTestDriver/eventually(sourceLocation:_:)``. A `MobiusController` is not driven,
/// because it processes events on a queue. Drive a loop with the same builder and the same function `initiate` instead.
/// The driver is not `Sendable`, so use it in one task, outside of tasks that run on its executor.
///
/// The driver stops a sender that answers more than 10,000 of its own events, and reports this before anything else. To
/// raise the limit, call `withMaximumChain(_:)` of the builder.
///
/// If events pass through an event consumer transformer, `send` states the first event that the transformer passes on.
/// The test receives the other events.
///
/// To test an update function or a handler alone, ``UpdateSpec`` and ``HandlerSpec`` are simpler.
public final class TestLoop<Model: Equatable & Sendable, Event: Sendable, Effect: Sendable>: AnyTestDriver<Model> {
    /// The loop that the driver runs. Events that are sent to it directly have to be received by the test.
    public let loop: MobiusLoop<Model, Event, Effect>
    // Members are released in this order, after those of the superclass. The core is therefore released last, and runs
    // the rest of the cancelled work.
    private let lastCore: DriverCore<Model>

    /// Creates a driver that starts a loop.
    ///
    /// - Parameters:
    ///   - builder: The configuration of the loop. The driver replaces its trace and its executor. If it has no
    ///     observer of errors, errors are not written to standard error; see
    ///     ``AnyTestDriver/expectFailure(_:sourceLocation:)``.
    ///   - model: The model to start from.
    ///   - effects: The effects to handle first. They need not be stated.
    ///   - time: The clock and the executor of the loop. If handlers sleep, pass them `time.clock`.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    public convenience init(
        _ builder: Mobius.Builder<Model, Event, Effect>,
        from model: Model,
        effects: [Effect] = [],
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(
            builder, First(model: model, effects: effects), from: model, time, calls, relaxed, sourceLocation)
        core.run(sourceLocation)
    }

    /// Creates a driver that starts a loop from the model and with the effects that a function returns, as a controller
    /// does.
    ///
    /// The test states what the function does as for an event: its change of the model by the closure `change`, and its
    /// effects by `effects(_:)`.
    ///
    /// ```swift
    /// let test = TestLoop(builder, from: Model(), initiate: initiate, time: time) { $0.isLoading = true }
    /// test.effects(.load(1))
    /// ```
    ///
    /// - Parameters:
    ///   - builder: The configuration of the loop; see ``init(_:from:effects:time:calls:relaxing:sourceLocation:)``.
    ///   - model: The model that is passed to `initiate`.
    ///   - initiate: A function that returns the model to start from, and effects. Loggers of the builder do not log
    ///     it.
    ///   - time: The clock and the executor of the loop. If handlers sleep, pass them `time.clock`.
    ///   - calls: Records the calls of an environment, if the test is to state them.
    ///   - relaxed: The axes on which not everything has to be stated.
    ///   - sourceLocation: The place where issues are recorded that belong to no `send`. By default, the call.
    ///   - change: Makes the expected change of the model. Without it, `initiate` must return the same model.
    public convenience init(
        _ builder: Mobius.Builder<Model, Event, Effect>,
        from model: Model,
        initiate: Initiate<Model, Effect>,
        time: VirtualScheduler = VirtualScheduler(),
        calls: Recorder? = nil,
        relaxing relaxed: TestAxes = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Model) -> Void)? = nil
    ) {
        let first = initiate(model)
        self.init(builder, first, from: model, time, calls, relaxed, sourceLocation)
        core.start(from: first.model, effects: first.effects, of: "initiate", at: sourceLocation, change)
        core.run(sourceLocation)
    }

    private init(
        _ builder: Mobius.Builder<Model, Event, Effect>, _ first: First<Model, Effect>, from model: Model,
        _ time: VirtualScheduler, _ calls: Recorder?, _ relaxed: TestAxes, _ origin: SourceLocation
    ) {
        let words = DriverWords(
            message: "event", outside: "the loop", permanent: "event source", isTransforming: builder.hasTransformer,
            work: { subject, message in "The effect \(subject) of \(message)" })
        let core = DriverCore(
            words, state: model, time: time, calls: calls, relaxing: relaxed, origin: origin,
            isPermanent: { event, source in
                if case .started(let subject, _) = event.kind, subject.value is TracedConnection { return true }
                return source == .eventSource
            })
        let builder =
            builder
            .withTrace(core.trace).withExecutor(time.executor).withoutErrorOutput()
            .reportingStops { [log = core.log] text in log.note(StoppedChain(description: text)) }
            .adding(EffectLogger { [log = core.log] in log.note($0) })
        // The loop starts with a cause, so that the log notes the sleep of a policy that delays one of the first
        // effects.
        loop = TraceCause.$current.withValue(core.trace.outsideCause()) {
            builder.start(from: first.model, effects: first.effects)
        }
        lastCore = core
        super.init(core)
        core.isIdle = { [unowned loop = self.loop] in loop.isIdle(orPost: $0) }
    }

    deinit { core.finishAtOrigin() }
}

/// An error that reports a sender that answers its own events without end.
private struct StoppedChain: Error, CustomStringConvertible {
    let description: String
}

/// A logger that passes the effects of each update to `note`.
private struct EffectLogger<Model, Event, Effect: Sendable>: MobiusLogger {
    let note: @Sendable ([any Sendable]) -> Void

    func didUpdate(event: Event, next: Next<Model, Effect>) {
        note(next.effects)
    }

    var usesPreviousModel: Bool { false }
}

// MARK: - Stating what happens

extension TestLoop {
    /// Sends an event, and states its change of the model.
    ///
    /// Everything that happened before must have been stated. `change` is applied to a copy of the model that the test
    /// has stated so far. Without it, the model must not change. The effects of the event are stated next, with
    /// `effects(_:)`. Events that handlers send at once are received after that.
    ///
    /// - Parameters:
    ///   - event: The event to send.
    ///   - sourceLocation: The place where issues about the event are recorded. By default, the call.
    ///   - change: Makes the expected change.
    /// - Returns: A handle for the work that the event has started.
    @discardableResult
    public func send(
        _ event: Event, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Model) -> Void)? = nil
    ) -> Sent {
        core.send(
            event, hasEnded: loop.hasEnded, at: sourceLocation, change, by: { loop.dispatchEvent(event) })
    }

    /// Expects that the event that was stated last has exactly these effects, in any order. The loop handles them in the
    /// order in which the update returns them.
    ///
    /// Call it right after `send` or `receive`. An event without effects needs no call. If ``TestAxes/work`` is
    /// relaxed, the event may have further effects.
    public func effects(_ expected: Effect..., sourceLocation: SourceLocation = #_sourceLocation)
    where Effect: Equatable {
        effects(expected, sourceLocation: sourceLocation)
    }

    /// Expects that the event that was stated last has exactly the effects in an array, in any order.
    ///
    /// It is for effects that the test computes, such as `ids.map(Effect.load)`. If the effects are themselves arrays, an
    /// array literal is one effect.
    @_disfavoredOverload
    public func effects(_ expected: [Effect], sourceLocation: SourceLocation = #_sourceLocation)
    where Effect: Equatable {
        guard let (actual, event) = takeEffects(sourceLocation) else { return }
        let difference = EffectDifference(from: expected, to: actual)
        if difference.missing.isEmpty, difference.unexpected.isEmpty { return }
        if difference.missing.isEmpty, !core.axes.contains(.work) {
            return core.report(DriverText.unstatedEffects(difference.unexpected, of: event), sourceLocation)
        }
        let lines = difference.lines(showingAllUnexpected: true)
        core.fail([DriverText.differentEffects(of: event, lines)], sourceLocation)
    }

    /// Returns the effects of the event that was stated last, and counts them as stated.
    ///
    /// Use it instead of `effects(_:)` if the effects are not `Equatable`, or if their order counts.
    /// If the effects have been stated already, an issue is recorded, and the result is empty.
    ///
    /// ```swift
    /// #expect(test.takeEffects() == [.load(5)])
    /// ```
    public func takeEffects(sourceLocation: SourceLocation = #_sourceLocation) -> [Effect] {
        takeEffects(sourceLocation)?.values ?? []
    }

    private func takeEffects(_ location: SourceLocation) -> (values: [Effect], of: any Sendable)? {
        guard let (values, event) = core.takeEffects() else {
            core.fail([DriverText.noEffectsToState], location)
            return nil
        }
        return (values.compactMap { $0 as? Effect }, event)
    }

    /// Expects that the next thing that happens is an event that the test has not sent and that equals `event`, and
    /// states its change of the model.
    ///
    /// - Returns: A handle for the work that the event has started.
    @discardableResult
    public func receive(
        _ event: Event, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Model) -> Void)? = nil
    ) -> Sent where Event: Equatable {
        core.receive(equal: event, at: sourceLocation, change)
    }

    /// Unavailable, because the event is not `Equatable`. Use ``receive(where:sourceLocation:_:)`` instead.
    @available(
        *, unavailable, message: "The event is not Equatable. To fix, declare the conformance, or use receive(where:)."
    )
    @discardableResult
    public func receive(
        _ event: Event, sourceLocation: SourceLocation = #_sourceLocation, _ change: ((inout Model) -> Void)? = nil
    ) -> Sent {
        fatalError()
    }

    /// Expects that a prism matches the next event that the test has not sent, states its change, and returns the part.
    ///
    /// If the prism does not match the next event, an issue is recorded, and the result is `nil`.
    ///
    /// ```swift
    /// let title = test.receive(Event.prism(for: Event.loaded)) { $0 = Model(title: "post 5") }
    /// ```
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

    /// Expects that the next event that the test has not sent satisfies a predicate, states its change, and returns the
    /// event.
    ///
    /// If the next event does not satisfy the predicate, an issue is recorded, and the result is `nil`.
    @discardableResult
    public func receive(
        where isExpected: (Event) -> Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: ((inout Model) -> Void)? = nil
    ) -> Event? {
        core.receive(matching: "that satisfies the predicate", at: sourceLocation, change) { (event: Event) in
            isExpected(event) ? event : nil
        }
    }

    /// Disposes the loop, and runs the rest of its cancelled work as far as it does not wait.
    ///
    /// Work that takes longer to unwind is under way until it ends. Events that it sends are dropped. A second call
    /// does nothing.
    public func dispose(sourceLocation: SourceLocation = #_sourceLocation) {
        loop.dispose()
        core.run(sourceLocation)
    }
}
