import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

private struct Flaw: Error, Equatable {
    var name: Int
}

/// A generated nesting of resources. Some fail to be acquired or released, and some suspend.
private indirect enum Nesting: Sendable {
    case pure
    case one(Int, Fault, waits: Bool)
    case then(Nesting, Nesting)
    case zip(Nesting, Nesting)
    case map(Nesting)
    /// Acquires, uses and releases the nesting to create a value.
    case used(Nesting)

    enum Fault: CaseIterable, Sendable {
        case none, acquiring, releasing
    }

    static var generated: Gen<Nesting> {
        let fault = Gen<Fault>.frequency(
            (6, .always(.none)), (1, .always(.acquiring)), (1, .always(.releasing)))
        let one = Gen<(Int, Fault, Bool)>.zip(.int(in: 0...99), fault, .bool).map { Nesting.one($0, $1, waits: $2) }
        return .recursive(.frequency((5, one), (1, .always(.pure)))) { inner in
            let pair = Gen<(Nesting, Nesting)>.zip(inner, inner)
            return .oneOf(
                pair.map { .then($0, $1) }, pair.map { .zip($0, $1) }, inner.map { .map($0) }, inner.map { .used($0) })
        }
    }

    func resource(_ clock: VirtualClock) -> Resource<Log, Flaw, Int> {
        switch self {
        case .pure:
            return .pure(1)
        case .one(let name, let fault, let waits):
            let step: @Sendable (String, Bool) -> EnvIO<Log, Flaw, Void> = { sign, fails in
                let write = EnvIO<Log, Flaw, Void> { (log: Log) throws(Flaw) in
                    if fails, sign == "+" { throw Flaw(name: name) }
                    log.append("\(sign)\(name)")
                    if fails { throw Flaw(name: name) }
                }
                return waits ? EnvIO.sleep(for: .seconds(1), clock: clock).flatMap { write } : write
            }
            return Resource(
                acquire: step("+", fault == .acquiring).as(name), release: { _ in step("-", fault == .releasing) })
        case .then(let first, let second):
            return first.resource(clock).flatMap { _ in second.resource(clock) }
        case .zip(let first, let second):
            return first.resource(clock).zip(second.resource(clock)).map { $0 &+ $1 }
        case .map(let nesting):
            return nesting.resource(clock).map { $0 &+ 1 }
        case .used(let nesting):
            return Resource(nesting.resource(clock).use { .pure($0) })
        }
    }
}

/// BR5, BR8 and BR9 on generated nestings: each acquired resource is released once, in reverse order, however the run
/// ends and whenever it is cancelled.
@Suite("Resource: generated nestings", .cases(500), .timeLimit(.minutes(10)))
struct ResourceNestingTests {
    @Test func resourcesAreReleasedInReverseOrder() async {
        await forAll(Nesting.generated, Gen.int(in: 0...12), Gen.bool) { nesting, steps, fails in
            let scheduler = VirtualScheduler()
            let log = Log()
            let program = nesting.resource(scheduler.clock)
                .use { value -> EnvIO<Log, Flaw, Int> in
                    EnvIO.sleep(for: .seconds(1), clock: scheduler.clock).flatMap {
                        fails ? .fail(Flaw(name: -1)) : .pure(value)
                    }
                }
                .on(scheduler.executor)
            let task = Reporting.$isSilent.withValue(true) { scheduler.start { await program.outcome(log) } }
            // Cancels the run in the middle of a second, unless the run has already ended.
            scheduler.advance(by: .seconds(Double(steps) + 0.5))
            let linesBefore = log.lines
            let isOver = scheduler.clock.sleeperCount == 0
            task.cancel()
            scheduler.advance(by: .seconds(1_000))
            #expect(unreleased(log.lines) == [])
            if isOver { #expect(log.lines == linesBefore) }
            classify(isOver, "over before it was cancelled")
            classify(!isOver && log.lines != linesBefore, "released after it was cancelled", atLeast: 0.05)
            _ = try await task.value
        }
    }

    /// Returns the resources that were acquired and not released, or `nil` if one was released out of order.
    private func unreleased(_ lines: [String]) -> [Substring]? {
        var open: [Substring] = []
        for line in lines {
            if line.hasPrefix("+") {
                open.append(line.dropFirst())
            } else if open.popLast() != line.dropFirst() {
                return nil
            }
        }
        return open
    }
}
