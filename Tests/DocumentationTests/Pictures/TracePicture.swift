import Dispatcher
import FunctionalCore
import VirtualTime

/// A time line of a traced component, as viewers of traces show it.
enum TracePicture {
    /// The example of the README, under the policy `.latest`: a second city is sent before the first answer.
    static func events() -> [TraceEvent] {
        let time = VirtualScheduler()
        let events = TraceBuffer()
        let weather = Weather { _ in
            try await time.clock.sleep(for: .seconds(1))
            return 21
        }
        let component = Component(
            initialState: Forecast(), environment: weather, executor: time.executor,
            trace: Trace(to: events, clock: time.clock), dispatcher: forecast.policy(.latest))
        component.send(.show(city: "Rome"))
        time.advance(by: .milliseconds(500))
        component.send(.show(city: "Oslo"))
        withExtendedLifetime(component) { time.advance(by: .seconds(2)) }
        return events.all
    }

    static func drawing() -> Sketch {
        let (left, unit, top) = (170, 0.34, 70)
        func x(_ time: Duration) -> Int {
            let (seconds, attoseconds) = time.components
            return left + Int((Double(seconds) * 1_000 + Double(attoseconds) / 1e15) * unit)
        }
        var drawing = Sketch(
            width: 760, height: 260,
            title:
                "A time line of a traced component. An input starts an action. A second input starts another one, and the first "
                + "one is cancelled. The second one changes the state.")
        for half in 0...3 {
            let place = x(.milliseconds(500 * half))
            drawing.line(place, 44, place, 226, isDashed: true, .quiet)
            drawing.text("\(Double(half) / 2) s", place, 248, .quiet, size: 12)
        }
        for (index, name) in ["received", "action", "changed"].enumerated() {
            drawing.text(name, left - 60, top + 60 * index + 5, .quiet, .end, size: 13)
        }

        let all = events()
        let roles: [Sketch.Role] = [.first, .second, .third]
        var begins: [Int: (time: Duration, row: Int)] = [:]
        var inputs: [Int: Int] = [:]
        for event in all {
            switch event.kind {
            case .received:
                inputs[event.id] = inputs.count
                drawing.marble("\(inputs.count)", x(event.time), top, roles[(inputs.count - 1) % 3])
            case .started:
                let input = inputs[event.cause ?? 0] ?? 0
                begins[event.id] = (event.time, input)
                drawing.arrow([(x(event.time), top + 14), (x(event.time), top + 38 + input * 26)], .line)
            case .ended(let work), .cancelled(let work):
                guard let (time, input) = begins[work] else { continue }
                let y = top + 50 + input * 26
                drawing.bar(x(time), x(event.time), y, roles[input % 3])
                if case .cancelled = event.kind { drawing.cross(x(event.time), y) }
            case .changed:
                let input = inputs[event.root] ?? 0
                drawing.marble("\(input + 1)", x(event.time), top + 132, roles[input % 3])
            default: break
            }
        }
        drawing.text("1  show(city: \"Rome\")", left + 330, 22, .first, .end, size: 13)
        drawing.text("2  show(city: \"Oslo\")", left + 510, 22, .second, .end, size: 13)
        return drawing
    }
}
