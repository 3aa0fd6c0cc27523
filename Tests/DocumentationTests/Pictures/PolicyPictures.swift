import Dispatcher
import FunctionalCore
import VirtualTime

/// What each policy does with three inputs, drawn from the trace of a component in virtual time.
enum PolicyPictures {
    struct Example: Sendable {
        let name: String
        let code: String
        /// The names of the inputs by the second at which they are sent, in order.
        var inputs = [(0, "a"), (2, "b"), (6, "c")]
        let policy: @Sendable (VirtualClock) -> Policy
    }

    static let examples: [Example] = [
        Example(name: "concurrent", code: ".concurrent") { _ in .concurrent },
        // The third input of the others would find a free place at second 6.
        Example(name: "concurrent-limit", code: ".concurrent(limit: 2)", inputs: [(0, "a"), (2, "b"), (3, "c")]) { _ in
            .concurrent(limit: 2)
        },
        Example(name: "queued", code: ".queued") { _ in .queued },
        // The second input of the others would start when the first one ends.
        Example(name: "queued-latest", code: ".queuedLatest", inputs: [(0, "a"), (2, "b"), (3, "c")]) { _ in
            .queuedLatest
        },
        Example(name: "latest", code: ".latest") { _ in .latest },
        Example(name: "first", code: ".first") { _ in .first },
        Example(name: "debounce", code: ".debounce(for: .seconds(3))") { .debounce(for: .seconds(3), clock: $0) },
        Example(
            name: "debounce-at-most", code: ".debounce(for: .seconds(3), atMost: .seconds(5))",
            inputs: [(0, "a"), (2, "b"), (4, "c")]
        ) { .debounce(for: .seconds(3), atMost: .seconds(5), clock: $0) },
        Example(name: "throttle", code: ".throttle(for: .seconds(7))") { .throttle(for: .seconds(7), clock: $0) },
        Example(name: "throttle-first", code: ".throttle(for: .seconds(7), latest: false)") {
            .throttle(for: .seconds(7), latest: false, clock: $0)
        },
    ]

    /// When an input was sent, and when its work began and ended, in seconds.
    struct Course: Equatable {
        let name: String
        let sent: Int
        var began: Int?
        var ended: Int?
        var cancelled: Int?
    }

    /// Sends the inputs to a dispatcher whose work takes five seconds, and reads their courses in a trace.
    static func courses(of example: Example) -> [Course] {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let events = TraceBuffer()
        let work = StateDispatcher<Void, Int, String>.effectful { _ in
            EnvIO { _ in
                try await clock.sleep(for: .seconds(5))
                return .update { $0 += 1 }
            }
        }
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor, trace: Trace(to: events, clock: clock),
            dispatcher: work.policy(example.policy(clock)))
        for (second, name) in example.inputs {
            scheduler.advance(to: VirtualClock.Instant(offset: .seconds(second)))
            component.send(name)
            scheduler.drain()
        }
        withExtendedLifetime(component) { scheduler.advance(by: .seconds(30)) }
        return courses(in: events.all)
    }

    private static func courses(in events: [TraceEvent]) -> [Course] {
        var courses: [Course] = []
        var inputs: [Int: String] = [:]
        func change(_ name: String?, _ body: (inout Course) -> Void) {
            guard let index = courses.firstIndex(where: { $0.name == name }) else { return }
            body(&courses[index])
        }
        for event in events {
            let second = Int(event.time.components.seconds)
            switch event.kind {
            case .received(let value, _):
                courses.append(Course(name: "\(value.value)", sent: second))
            case .started(let value, _):
                inputs[event.id] = "\(value.value)"
                change("\(value.value)") { $0.began = second }
            case .ended(let work):
                change(inputs[work]) { $0.ended = second }
            case .cancelled(let work):
                change(inputs[work]) { $0.cancelled = second }
            case .decided(.dropped, let value), .decided(.replaced, let value):
                change("\(value.value)") { course in
                    if course.began == nil { course.cancelled = second }
                }
            default: break
            }
        }
        return courses
    }

    static func drawing(of example: Example) -> Sketch {
        let courses = courses(of: example)
        let (left, unit, top) = (60, 36, 62)
        func x(_ second: Int) -> Int { left + 20 + second * unit }
        var drawing = Sketch(
            width: x(16) + 20, height: top + 4 * 44 + 30, title: "Three inputs under the policy \(example.code)")
        drawing.code(example.code, left, 28, .start, size: 15)
        for second in stride(from: 0, through: 15, by: 5) {
            drawing.line(x(second), top - 16, x(second), top + 4 * 44 - 20, isDashed: true, .quiet)
            drawing.text("\(second) s", x(second), top + 4 * 44 + 6, .quiet, size: 12)
        }
        let roles: [Sketch.Role] = [.first, .second, .third]
        for (index, course) in courses.enumerated() {
            let (y, role) = (top + index * 44, roles[index % roles.count])
            drawing.text("input", left - 14, y + 5, .quiet, .end, size: 12)
            if let began = course.began {
                if began > course.sent { drawing.line(x(course.sent), y, x(began), y, isDashed: true, role) }
                if let stop = course.ended ?? course.cancelled { drawing.bar(x(began), x(stop), y, role) }
            } else if let cancelled = course.cancelled, cancelled > course.sent {
                drawing.line(x(course.sent), y, x(cancelled), y, isDashed: true, role)
            }
            drawing.marble(course.name, x(course.sent), y, role)
            if let cancelled = course.cancelled {
                drawing.cross(x(cancelled) + (cancelled == course.sent ? 24 : 0), y)
            }
        }
        let y = top + 3 * 44
        drawing.text("state", left - 14, y + 5, .quiet, .end, size: 12)
        drawing.arrow([(x(0) - 16, y), (x(16), y)])
        for (index, course) in courses.enumerated() {
            if let ended = course.ended { drawing.marble(course.name, x(ended), y, roles[index % roles.count]) }
        }
        return drawing
    }
}
