import FunctionalCore
import Loop
import PropertyTesting
import TestSupport
import Testing

/// What a loop does if its parts use it while they are called.
///
/// The model states these promised behaviours:
/// - 3, 16, 21: Events are processed one at a time. One that is sent while another is processed follows it, before the
///   outer dispatch returns, and its update is given the model that the one before it left.
/// - 6, 9, 10: Observers are notified in registration order, each once. So is one that is registered by a part of the
///   loop. One that is removed is no longer notified.
/// - 7, 15, 22: An event reaches the logger, the update, the logger, the event source, the observers, and the effect
///   handler with each effect in order. An answer without a model reaches no source and no observer.
/// - 17, 18, 78: Events of the handler and the source are processed like others, after the call that sends them.
/// - 33, 34: A loop that a part disposes calls no part after it, except that it disposes the handler and then the source.
///   One that is disposed by its update does so after its earlier events. It drops events that are enqueued, or sent
///   later, and passes them to the logger as dropped.
/// - 77: A source is given the first model and every new one.
@Suite("A loop and its model", .timeLimit(.minutes(10)))
struct LoopModelTests {
    enum Act: Sendable {
        case dispatch(Int)
        case sendByHandler(Int)
        case sendBySource(Int)
        case observe
        case removeObserver(Int)
        case dispose

        static let gen: Gen<Act> = {
            let number = Gen.int(in: 0...11)
            return .frequency(
                (6, number.map { .dispatch($0) }), (3, number.map { .sendByHandler($0) }),
                (3, number.map { .sendBySource($0) }), (4, .always(.observe)), (2, number.map { .removeObserver($0) }),
                (1, .always(.dispose)))
        }()
    }

    /// What a caller does, and what the parts of the loop do, call by call.
    struct Script: Sendable {
        let caller: [Act]
        let parts: [[Act]]

        /// Half of the scripts begin with three observers, so that some end the loop or an observer before others.
        static let gen = Gen.zip(Gen.element(of: [0, 3]), Act.gen.array(1...6), Act.gen.array(0...2).array(0...20))
            .map { Script(caller: Array(repeating: .observe, count: $0) + $1, parts: $2) }
    }

    private static func isNew(_ event: Int) -> Bool { event % 4 < 3 }
    private static func effects(of event: Int) -> [Int] { (0..<event % 3).map { 10 * event + $0 } }

    // MARK: - The model

    struct Model {
        var parts: ArraySlice<[Act]>
        let isLogged: Bool
        var lines = ["source []"]
        private var (model, observers, tokens, count) = ([Int](), [Int](), [Int](), 0)
        /// The events that are enqueued, and `nil` for the disposal by an update.
        private var queue: [Int?] = []
        private var (isProcessing, isDisposed) = (false, false)

        init(parts: [[Act]], isLogged: Bool) {
            (self.parts, self.isLogged) = (parts[...], isLogged)
        }

        private mutating func call(_ line: String, inUpdate: Bool = false) {
            lines.append(line)
            for act in parts.popFirst() ?? [] { perform(act, inUpdate: inUpdate) }
        }

        private mutating func perform(_ act: Act, inUpdate: Bool) {
            switch act {
            case .removeObserver(let number):
                if !tokens.isEmpty { observers.removeAll { $0 == tokens[number % tokens.count] } }
            case .sendByHandler(let event), .sendBySource(let event):
                queue.append(event)
                process { _ in }
            case _ where isDisposed: break
            case .dispatch(let event): perform(.sendByHandler(event), inUpdate: inUpdate)
            case .observe where inUpdate: break
            case .observe:
                count += 1
                let number = count
                observers.append(number)
                process { $0.call("observer \(number) \($0.model)") }
                tokens.append(number)
            case .dispose:
                isDisposed = true
                if inUpdate { queue.append(nil) } else { process { $0.tearDown() } }
            }
        }

        private mutating func process(_ body: (inout Model) -> Void) {
            if isProcessing { return body(&self) }
            isProcessing = true
            body(&self)
            while !queue.isEmpty { handle(queue.removeFirst()) }
            isProcessing = false
        }

        private mutating func handle(_ event: Int?) {
            guard let event else { return tearDown() }
            if !isDisposed, isLogged { call("will \(event)") }
            if isDisposed { return isLogged ? lines.append("dropped \(event)") : () }
            let notified = observers
            call("update \(event) of \(model)", inUpdate: true)
            if isNew(event) { model.append(event) }
            if isLogged { call("did \(event)") }
            if isNew(event), !isDisposed { call("source \(model)") }
            for observer in notified where isNew(event) && observers.contains(observer) && !isDisposed {
                call("observer \(observer) \(model)")
            }
            for effect in effects(of: event) where !isDisposed { call("effect \(effect) of \(model)") }
        }

        private mutating func tearDown() {
            call("handler disposed")
            observers = []
            call("source disposed")
        }

        mutating func perform(_ act: Act) {
            perform(act, inUpdate: false)
            lines.append("latest \(model)")
        }

        mutating func end() {
            if !isDisposed { lines += ["handler disposed", "source disposed"] }
        }
    }

    // MARK: - The loop

    private struct Calling: MobiusLogger {
        let call: @Sendable (String) -> Void
        let log: Log

        func willUpdate(model: [Int], event: Int) { call("will \(event)") }
        func didUpdate(event: Int, next: Next<[Int], Int>) { call("did \(event)") }
        func didDrop(event: Int) { log.append("dropped \(event)") }
    }

    private static func run(_ script: Script, isLogged: Bool, isTraced: Bool) -> [String] {
        let (log, slot, isDisposed) = (Log(), LoopSlot(nil), Guarded(false))
        let (handler, source, tokens) = (Port<Int>(), Port<Int>(), Record<any Disposable>())
        let (parts, observers) = (Guarded(script.parts[...]), Record<Void>())

        // The parts do nothing while the loop starts.
        @Sendable func call(_ line: String, inUpdate: Bool = false) {
            log.append(line)
            if slot.loop == nil { return }
            for act in parts.withLock({ $0.popFirst() }) ?? [] { perform(act, inUpdate: inUpdate) }
        }

        @Sendable func perform(_ act: Act, inUpdate: Bool = false) {
            switch act {
            case .dispatch(let event): if !isDisposed.value { slot.loop?.dispatchEvent(event) }
            case .sendByHandler(let event): handler.send(event)
            case .sendBySource(let event): source.send(event)
            case .observe:
                if isDisposed.value || inUpdate { return }
                observers.append(())
                let number = observers.values.count
                if let token = slot.loop?.addObserver({ call("observer \(number) \($0)") }) { tokens.append(token) }
            case .removeObserver(let number):
                let tokens = tokens.values
                if !tokens.isEmpty { tokens[number % tokens.count].dispose() }
            case .dispose:
                isDisposed.value = true
                slot.loop?.dispose()
            }
        }

        var builder = Mobius.loop(
            update: Update<[Int], Int, Int> { model, event in
                call("update \(event) of \(model)", inUpdate: true)
                return isNew(event)
                    ? .next(model + [event], effects: effects(of: event)) : .dispatchEffects(effects(of: event))
            },
            effectHandler: AnyConnectable<Int, Int> { consumer in
                handler.attach(consumer)
                return Connection(
                    acceptClosure: { call("effect \($0) of \(slot.loop?.latestModel ?? [])") },
                    disposeClosure: { call("handler disposed") })
            }
        ).withEventSource(
            AnyConnectable<[Int], Int> { consumer in
                source.attach(consumer)
                return Connection(
                    acceptClosure: { call("source \($0)") }, disposeClosure: { call("source disposed") })
            })
        if isLogged { builder = builder.withLogger(Calling(call: { call($0) }, log: log)) }
        if isTraced { builder = builder.withTrace(Trace(to: TraceBuffer())) }
        slot.loop = builder.start(from: [])
        for act in script.caller {
            perform(act)
            log.append("latest \(slot.loop?.latestModel ?? [])")
        }
        slot.loop = nil
        return log.lines
    }

    @Test(
        "3, 6, 7, 9, 10, 15–18, 21, 22, 33, 34, 77, 78. A loop does what its model does, also with a logger or a trace",
        .cases(300), arguments: [false, true], [false, true])
    func scripts(isLogged: Bool, isTraced: Bool) async {
        await forAll(Script.gen) { script in
            var model = Model(parts: script.parts, isLogged: isLogged)
            for act in script.caller { model.perform(act) }
            model.end()
            #expect(Self.run(script, isLogged: isLogged, isTraced: isTraced) == model.lines)
        }
    }
}
