import Effects
import FunctionalCore
import TestSupport
import VirtualTime

/// What operators of streams do with timed values, drawn from what a store in virtual time passes through them.
struct OperatorPictures {
    private struct Letter: Action { let text: String }
    private struct Number: Action { let text: String }

    typealias Stream = ActionStream<String>

    struct Example: Sendable {
        let name: String
        let code: String
        /// How many values of each source are passed on before the source ends; `nil` if it does not end.
        var letters: Int?
        var numbers: Int?
        var usesNumbers = true
        let result: @Sendable (_ letters: Stream, _ numbers: Stream, _ clock: VirtualClock) -> Stream
    }

    static let examples: [Example] = [
        Example(name: "merge", code: "letters.merge(with: numbers)") { a, b, _ in a.merge(with: b) },
        Example(name: "append", code: "letters.append(numbers)", letters: 2) { a, b, _ in a.append(b) },
        Example(name: "zip", code: "letters.zip(numbers)") { a, b, _ in a.zip(b).map { $0 + $1 } },
        Example(name: "combineLatest", code: "letters.combineLatest(numbers)") { a, b, _ in
            a.combineLatest(b).map { $0 + $1 }
        },
        Example(name: "withLatestFrom", code: "letters.withLatestFrom(numbers)") { a, b, _ in
            a.withLatestFrom(b).map { $0 + $1 }
        },
        Example(name: "debounce", code: "letters.debounce(for: .seconds(2))", usesNumbers: false) { a, _, clock in
            a.debounce(for: .seconds(2), clock: clock)
        },
        Example(name: "throttle", code: "letters.throttle(for: .seconds(4))", usesNumbers: false) { a, _, clock in
            a.throttle(for: .seconds(4), latest: true, clock: clock)
        },
        Example(name: "delay", code: "letters.delay(for: .seconds(2))", usesNumbers: false) { a, _, clock in
            a.delay(for: .seconds(2), clock: clock)
        },
        Example(name: "flatMap", code: "letters.flatMap { three($0) }", usesNumbers: false) { a, _, clock in
            a.flatMap { three($0, clock) }
        },
        Example(name: "flatMap-latest", code: "letters.flatMap(.latest) { three($0) }", usesNumbers: false) {
            a, _, clock in
            a.flatMap(.latest) { three($0, clock) }
        },
        Example(name: "flatMap-queued", code: "letters.flatMap(.queued) { three($0) }", usesNumbers: false) {
            a, _, clock in
            a.flatMap(.queued) { three($0, clock) }
        },
        Example(name: "flatMap-first", code: "letters.flatMap(.first) { three($0) }", usesNumbers: false) {
            a, _, clock in
            a.flatMap(.first) { three($0, clock) }
        },
    ]

    /// Three values, a second apart.
    @Sendable private static func three(_ letter: String, _ clock: VirtualClock) -> Stream {
        ActionStream.interval(.seconds(1), clock: clock).prefix(3).map { "\(letter)\($0 + 1)" }
    }

    /// A value or the end of a stream, with its half second.
    struct Event: Equatable, Sendable {
        let row: String
        let time: Int
        /// `nil` for the end.
        let text: String?
    }

    /// Dispatches letters and numbers to a store, and records what the sources and the result emit.
    static func events(of example: Example) -> [Event] {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let record = Record<Event>()
        @Sendable func watched(_ stream: Stream, _ row: String) -> Stream {
            @Sendable func now() -> Int {
                let (seconds, attoseconds) = clock.now.offset.components
                return Int(seconds) * 2 + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0)
            }
            return stream.handleEvents(
                receiveOutput: { text in record.append(Event(row: row, time: now(), text: text)) },
                receiveCompletion: { _ in record.append(Event(row: row, time: now(), text: nil)) })
        }
        let effect = Effect(dispatch: false) { actions in
            var letters = actions.ofType(Letter.self).map(\.text)
            var numbers = actions.ofType(Number.self).map(\.text)
            if let count = example.letters { letters = letters.prefix(count) }
            if let count = example.numbers { numbers = numbers.prefix(count) }
            let result = example.result(watched(letters, "letters"), watched(numbers, "numbers"), clock)
            return watched(result, "result").map { Letter(text: $0) }.eraseActionType()
        }
        let store = Store(
            reducer: { (_: inout Void, _) in }, initialState: (), effects: [effect], executor: scheduler.executor)
        let actions: [(Int, any Action)] = [
            (1, Letter(text: "A")), (3, Number(text: "1")), (4, Letter(text: "B")), (7, Letter(text: "C")),
            (11, Number(text: "2")), (15, Letter(text: "D")), (18, Number(text: "3")),
        ]
        for (time, action) in actions {
            scheduler.advance(to: VirtualClock.Instant(offset: .milliseconds(500 * time)))
            store.dispatch(action: action)
            scheduler.drain()
        }
        withExtendedLifetime(store) { scheduler.advance(to: VirtualClock.Instant(offset: .seconds(13))) }
        return record.values
    }

    static func drawing(of example: Example) -> Sketch {
        let events = events(of: example)
        let (left, unit) = (96, 28)
        func x(_ time: Int) -> Int { left + time * unit }
        let sources = example.usesNumbers ? ["letters", "numbers"] : ["letters"]
        let height = 50 * sources.count + 130
        var drawing = Sketch(width: x(26) + 24, height: height, title: "What \(example.code) emits")
        func row(_ name: String, _ y: Int) {
            drawing.text(name, left - 14, y + 5, .quiet, .end, size: 13)
            let own = events.filter { $0.row == name }
            let end = own.first { $0.text == nil }?.time
            if let end {
                // Beside the value with which the stream ends.
                drawing.line(left, y, x(end) + 20, y)
                drawing.end(x(end) + 20, y)
            } else {
                drawing.arrow([(left, y), (x(26) + 10, y)])
            }
            for event in own {
                if let text = event.text { drawing.marble(text, x(event.time), y, role(of: text)) }
            }
        }
        for (index, source) in sources.enumerated() { row(source, 28 + 50 * index) }
        let top = 50 * sources.count + 14
        drawing.box(left, top, x(26) - left + 10, 40, "", [], .code)
        drawing.code(example.code, (left + x(26) + 10) / 2, top + 25, size: 15)
        row("result", top + 78)
        return drawing
    }

    private static func role(of text: String) -> Sketch.Role {
        switch text.first {
        case "A": .first
        case "B": .second
        case "C": .third
        case "D": .fourth
        default: .surface
        }
    }
}
