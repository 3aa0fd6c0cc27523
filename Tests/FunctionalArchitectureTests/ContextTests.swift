import FunctionalArchitecture
import TestSupport
import Testing
import VirtualTime

private enum Request { @TaskLocal static var id = "none" }

/// The task-local values and the priority that the work of a message sees, in all front doors.
@Suite("The context of work", .timeLimit(.minutes(10)))
struct ContextTests {
    private let log = Log()

    /// The kinds of work, and the policies under which another message, or a timer, starts it.
    enum Work: CaseIterable {
        case action, queuedAction, limitedAction, debouncedAction, stream, finalizer, fiber, queuedFiber, memoized
        case request, queuedRequest, limitedRequest, debouncedRequest, sequence, programOfStore, secondRequest
        case handler, queuedHandler, limitedHandler, debouncedHandler, handlerOfSequence, programOfLoop, fiberOfLoop

        /// Whether `settled()` does not wait for the work.
        var isSequence: Bool { self == .stream || self == .sequence || self == .handlerOfSequence }
        var isTimed: Bool { self == .debouncedAction || self == .debouncedRequest || self == .debouncedHandler }
    }

    /// Returns a front door whose work logs its number and what `look` returns, after it has suspended.
    private func frontDoor(
        _ work: Work, _ scheduler: VirtualScheduler?, carrying: CarriedValues?, look: @escaping @Sendable () -> String
    ) -> FrontDoor {
        let debounce = Policy.debounce(for: .seconds(1), clock: scheduler?.clock ?? VirtualClock())
        let answer: @Sendable (Int) async -> Int = { [log] number in
            await Task.yield()
            log.append("\(number) \(look())")
            return -number
        }
        let request: @Sendable (Sent) async throws -> Sent = { Sent(number: await answer($0.number)) }
        let numbers: @Sendable (Int) -> AsyncPrefixSequence<AsyncStream<Int>> = { number in
            AsyncStream { await answer(number) }.prefix(1)
        }
        let action = FrontDoor.Programs.effectful { number in
            EnvIO { _ async in
                let number = await answer(number)
                return .update { $0.add(number) }
            }
        }
        let program: @Sendable (Int) -> EnvIO<Void, any Error, Int> = { number in
            EnvIO { _ async in await answer(number) }
        }
        // The action has no task yet when it starts the fiber.
        let fiber = FrontDoor.Programs.effectful { number in
            program(number).fork().flatMap { $0.join() }.map { number in .update { $0.add(number) } }
        }
        func component(_ programs: FrontDoor.Programs) -> FrontDoor {
            FrontDoor(scheduler, carrying: carrying, programs)
        }
        func store(_ effect: @escaping @Sendable (ActionStream<Sent>) -> ActionStream<Sent>) -> FrontDoor {
            FrontDoor(scheduler, carrying: carrying, effect: { effect($0.filter { $0.number > 0 }) })
        }
        func loop(
            _ policy: Policy = .concurrent, _ router: (EffectRoute<Int, Int, Int>) -> FrontDoor.Router
        ) -> FrontDoor {
            FrontDoor(scheduler, carrying: carrying, router: { router($0.policy(policy)) })
        }
        let handler: @Sendable (Int) async -> Int? = { await answer($0) }
        return switch work {
        case .action: component(action)
        case .queuedAction: component(action.policy(.queued))
        case .limitedAction: component(action.policy(.concurrent(limit: 2)))
        case .debouncedAction: component(action.policy(debounce))
        case .stream: component(.stream { number, _ in numbers(number).map { number in .update { $0.add(number) } } })
        case .finalizer:
            component(
                .effectful { number in
                    EnvIO { _ async in .update { $0.add(number) } }
                        .guarantee(EnvIO { _ async in _ = await answer(number) })
                })
        case .fiber: component(fiber)
        case .queuedFiber: component(fiber.policy(.queued))
        case .memoized:
            component(
                .effectful { number in
                    program(number).memoize().flatMap { $0 }.map { number in .update { $0.add(number) } }
                })
        case .request: store { $0.flatMap(request) }
        case .queuedRequest: store { $0.flatMap(.queued, request) }
        case .limitedRequest: store { $0.flatMap(.concurrent(limit: 2), request) }
        case .debouncedRequest: store { $0.flatMap(debounce, request) }
        case .sequence: store { $0.flatMap { numbers($0.number).map { Sent(number: $0) } } }
        case .programOfStore:
            store { sent in
                sent.flatMap(.queued) { sent in
                    ActionStream(EnvIO<Void, any Error, Sent> { _ async throws in try await request(sent) }, in: ())
                }
            }
        case .secondRequest:
            store { sent in
                sent.flatMap(.queued) { sent in ActionStream { sent }.flatMap(.queued, request) }
            }
        case .handler: loop { $0.toEvent(handler) }
        case .queuedHandler: loop(.queued) { $0.toEvent(handler) }
        case .limitedHandler: loop(.concurrent(limit: 2)) { $0.toEvent(handler) }
        case .debouncedHandler: loop(debounce) { $0.toEvent(handler) }
        case .handlerOfSequence: loop { $0.toHandling { number in .toEvents { numbers(number) } } }
        case .programOfLoop:
            loop(.queued) { $0.toHandling { number in .toEvent(in: (), EnvIO { _ async in await answer(number) }) } }
        case .fiberOfLoop:
            loop {
                $0.toHandling { number in
                    let program = EnvIO<Void, Never, Int?> { _ async in await answer(number) }
                    return .toEvent(in: (), program.fork().flatMap { $0.join() })
                }
            }
        }
    }

    /// Sends a number for each of three requests.
    private func send(_ work: Work, to frontDoor: FrontDoor, _ step: () async throws -> Void) async rethrows {
        for (number, id) in zip(1..., ["A", "B", "C"]) {
            Request.$id.withValue(id) { frontDoor.send(number) }
            if work.isTimed { try await step() }
        }
    }

    @Test(
        "Work sees the task-local values of its own sender if they are carried, and otherwise the default values",
        arguments: Work.allCases, [true, false])
    func values(work: Work, isCarrying: Bool) async throws {
        let expected = isCarrying ? ["1 A", "2 B", "3 C"] : ["1 none", "2 none", "3 none"]
        let carrying: CarriedValues? = isCarrying ? .taskLocals(Request.$id) : nil

        // On an executor that the test drains, work also belongs to the test.
        let scheduler = VirtualScheduler()
        let inTest = frontDoor(work, scheduler, carrying: carrying) {
            Request.id + (Test.current == nil ? ", without its test" : "")
        }
        await send(work, to: inTest) { scheduler.advance(by: .seconds(1)) }
        scheduler.advance(by: .seconds(10))
        #expect(log.lines == expected)
        inTest.cancel()
        scheduler.drain()
        log.removeAll()

        if work.isTimed || work.isSequence { return }
        let frontDoor = frontDoor(work, nil, carrying: carrying) { Request.id }
        await send(work, to: frontDoor) {}
        try await frontDoor.settled()
        #expect(log.lines.sorted() == expected)
        frontDoor.cancel()
    }

    @Test(
        "Under four sending threads, work sees the values of its own sender",
        arguments: [Work.action, .request, .handler])
    func threads(work: Work) async throws {
        let wrong = Record<String>()
        let answer: @Sendable (Int) async -> Int = { number in
            if Request.id != "\(number)" { wrong.append("\(number) saw \(Request.id)") }
            return -number
        }
        let carrying = CarriedValues.taskLocals(Request.$id)
        let frontDoor =
            switch work {
            case .action:
                FrontDoor(
                    nil, carrying: carrying,
                    .effectful { number in
                        EnvIO { _ async in
                            let number = await answer(number)
                            return .update { $0.add(number) }
                        }
                    })
            case .request:
                FrontDoor(nil, carrying: carrying) { sent in
                    sent.filter { $0.number > 0 }.flatMap { Sent(number: await answer($0.number)) }
                }
            default: FrontDoor(nil, carrying: carrying, router: { $0.toEvent { number in await answer(number) } })
            }
        onThreads(4) { thread in
            for number in 1...1_000 {
                let number = 1_000 * thread + number
                Request.$id.withValue("\(number)") { frontDoor.send(number) }
            }
        }
        try await frontDoor.settled()
        #expect(wrong.values == [])
        frontDoor.cancel()
    }

    @Test("The messages that carried work causes carry its values on: those of tasks and those of observers")
    func messages() async throws {
        let frontDoors = [Work.queuedAction, .queuedRequest, .queuedHandler].map { work in
            frontDoor(work, nil, carrying: .taskLocals(Request.$id)) { Request.id }
        }
        for frontDoor in frontDoors {
            // The answer to 1 and 2 is a message of a task. The observer sends 11 and 12 in its turn.
            frontDoor.observe { frontDoor, numbers in
                if (-2...(-1)).contains(numbers.last) { frontDoor.send(10 - numbers.last) }
            }
            for (number, id) in [(1, "A"), (2, "B")] { Request.$id.withValue(id) { frontDoor.send(number) } }
            try await frontDoor.settled()
            #expect(log.lines.sorted() == ["1 A", "11 A", "12 B", "2 B"])
            log.removeAll()
            frontDoor.cancel()
        }
    }

    @Test("Several task-locals are carried together, and an event source sees the default values")
    func several() async throws {
        enum Second { @TaskLocal static var number = 0 }
        let carrying = CarriedValues.taskLocals(Request.$id, Second.$number)
        let frontDoor = frontDoor(.queuedAction, nil, carrying: carrying) { "\(Request.id) \(Second.number)" }
        Request.$id.withValue("A") { Second.$number.withValue(7) { frontDoor.send(1) } }
        frontDoor.send(2)
        try await frontDoor.settled()
        #expect(log.lines == ["1 A 7", "2 none 0"])
        frontDoor.cancel()
    }

    @Test(
        "Synchronous steps of a waiting message, and subscriptions, see the values of its sender, and actors see none")
    func places() async throws {
        let log = log
        let component = Component(
            initialState: 0, environment: (), carrying: .taskLocals(Request.$id),
            dispatcher: StateDispatcher<Void, Int, Int>.effectful { number in
                EnvIO { _ in
                    log.append("step \(number) \(Request.id)")
                    return .set(number)
                }
            },
            subscriptions: { number in
                number == 2 ? [.run(id: "numbers") { _, _ in log.append("subscription \(Request.id)") }] : []
            })
        component.observe { [weak component] number in
            if number == 1 { Request.$id.withValue("B") { _ = component?.send(2) } }
        }
        component.observe(initial: false) { @MainActor number in log.append("actor \(number) \(Request.id)") }
        await onThread { Request.$id.withValue("A") { _ = component.send(1) } }
        try await component.settledIncludingObservers()
        let loop = Mobius.loop(
            update: Update<Int, Int, Int> { _, number in .next(number) }, effectHandler: EffectRouter()
        )
        .withCarriedValues(.taskLocals(Request.$id))
        .withEventSource {
            log.append("source \(Request.id)")
            return AsyncStream<Int> { 7 }
        }
        let started = Request.$id.withValue("C") { loop.start(from: 0) }
        for await number in started.models() where number == 7 { break }
        started.dispose()
        // The subscription may begin after its component has settled, since it is not finite work.
        while log.lines.count < 6 { await Task.yield() }
        let expected = ["actor 1 none", "actor 2 none", "source C", "step 1 A", "step 2 B", "subscription B"]
        #expect(log.lines.sorted() == expected)
    }

    @Test(
        "Work has the priority of its own sender, also if other work starts it",
        arguments: [Work.queuedAction, .queuedFiber, .queuedRequest, .queuedHandler])
    func priority(work: Work) async throws {
        let frontDoor = frontDoor(work, nil, carrying: nil) { "\(Task.basePriority.map { "\($0.rawValue)" } ?? "")" }
        let priorities = [TaskPriority.background, .high, .background, .high]
        for (number, priority) in zip(1..., priorities) {
            // Awaiting the task would raise its priority.
            await withCheckedContinuation { sent in
                Task.detached(priority: priority) {
                    frontDoor.send(number)
                    sent.resume()
                }
            }
        }
        try await frontDoor.settled()
        #expect(log.lines == zip(1..., priorities).map { "\($0) \($1.rawValue)" })
        frontDoor.cancel()
    }

    /// Sends numbers with priorities, each from a task of its own.
    private func send(_ priorities: [TaskPriority], to send: @escaping @Sendable (Int) -> Void) async {
        for (number, priority) in zip(1..., priorities) {
            await withCheckedContinuation { sent in
                Task.detached(priority: priority) {
                    send(number)
                    sent.resume()
                }
            }
        }
    }

    @Test(
        "What follows late work has the priority of this work: a reaction to its change, and a request after a debounce"
    )
    func priorityOfReactions() async throws {
        let (log, scheduler) = (log, VirtualScheduler())
        let priority: @Sendable () -> String = { Task.basePriority.map { "\($0.rawValue)" } ?? "" }
        let clock = scheduler.clock
        let store = FrontDoor(scheduler) { sent in
            sent.filter { $0.number > 0 }.debounce(for: .seconds(1), clock: clock).flatMap { sent in
                log.append("\(sent.number) \(priority())")
                return Sent(number: -sent.number)
            }
        }
        await send([.background, .high], to: store.send)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["2 25"])
        store.cancel()
        log.removeAll()

        // Work 1 waits, and work 2 commits as soon as work 1 has ended.
        let component = FrontDoor(
            scheduler,
            .effectful { number in
                number == 2
                    ? EnvIO { _ in .update { $0.add(-2) } }
                    : EnvIO { _ async in
                        log.append("\(number) \(priority())")
                        return .update { $0.add(-number) }
                    }
            }
            .policy(.queued))
        component.observe { component, numbers in if numbers.last == -2 { component.send(3) } }
        await send([.background, .high], to: component.send)
        scheduler.drain()
        #expect(log.lines == ["1 9", "3 25"])
    }

    @Test("Events that a handler sends from a thread of its own, and inputs of a subscription, carry its values")
    func ownThreads() async throws {
        let log = log
        let loop = FrontDoor(nil, carrying: .taskLocals(Request.$id)) { route in
            route.to { (number: Int, callback: EffectCallback<Int>) in
                log.append("\(number) \(Request.id)")
                // The test waits for the thread, and the loop is busy meanwhile.
                onThreads(1) { _ in callback.end(with: number == 1 ? [2] : []) }
                return EmptyDisposable()
            }
        }
        Request.$id.withValue("A") { loop.send(1) }
        try await loop.settled()
        #expect(log.lines == ["1 A", "2 A"])
        loop.cancel()
    }

    @Test("A handle of finished work does not retain the carried values")
    func release() async throws {
        enum Carried { @TaskLocal static var witness: Witness? }
        let action = FrontDoor.Programs.effectful { number in EnvIO { _ async in .update { $0.add(-number) } } }
        let frontDoor = FrontDoor(nil, carrying: .taskLocals(Carried.$witness), action.policy(.queued))
        weak var weakWitness: Witness?
        do {
            let witness = Witness()
            weakWitness = witness
            Carried.$witness.withValue(witness) { for number in 1...3 { frontDoor.send(number) } }
        }
        try await frontDoor.settled()
        // The front door keeps the handles.
        while weakWitness != nil { await Task.yield() }
        frontDoor.cancel()
    }
}
