// The diagrams of the article on policies.

import Dispatcher
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("The article on policies", .timeLimit(.minutes(10)))
struct PoliciesExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let title: String
        var inputs = [0: "a", 2: "b", 6: "c"]
        let policy: @Sendable (VirtualClock) -> Policy

        var testDescription: String { title }
    }

    static let examples = [
        Example(title: "concurrent") { _ in .concurrent },
        Example(title: "concurrent(limit: 2)", inputs: [0: "a", 2: "b", 3: "c"]) { _ in .concurrent(limit: 2) },
        Example(title: "queued") { _ in .queued },
        Example(title: "latest") { _ in .latest },
        Example(title: "first") { _ in .first },
        Example(title: "debounce(for: .seconds(3))") { .debounce(for: .seconds(3), clock: $0) },
        Example(title: "throttle(for: .seconds(7))") { .throttle(for: .seconds(7), clock: $0) },
    ]

    @Test("The article's diagrams show how policies process three inputs", arguments: examples)
    func diagram(_ example: Example) throws {
        let article = try PackageFolder.text(of: "Sources/Dispatcher/Documentation.docc/Policies.md")
        let drawn = Self.drawing(of: example)
        #expect(article.contains("\n`.\(example.title)`\n"))
        #expect(article.contains("```text\n" + drawn + "\n```"), "\(example.title):\n\(drawn)")
    }

    /// When the work for one input began and how it ended, in seconds.
    private struct Course: Sendable {
        let sent: Int
        var began: Int?
        var ended: Int?
        var cancelled: Int?

        func mark(at second: Int) -> Character {
            if second < sent || second > ended ?? cancelled ?? .max { return " " }
            if second == cancelled { return "x" }
            if second == ended { return ")" }
            guard let began, second >= began else { return "." }
            return second == began ? "(" : "="
        }
    }

    /// Sends `a`, `b` and `c` to a dispatcher whose work takes five seconds, and draws the course of the three.
    private static func drawing(of example: Example) -> String {
        let scheduler = VirtualScheduler()
        let clock = scheduler.clock
        let second = Guarded(0)
        let courses = Guarded<[String: Course]>([:])
        @Sendable func change(_ name: String, _ body: (inout Course, Int) -> Void) {
            let now = second.withLock { $0 }
            courses.withLock { body(&$0[name]!, now) }
        }

        let work = StateDispatcher<Void, Int, String>.effectful { name in
            EnvIO { _ in
                change(name) { $0.began = $1 }
                do {
                    try await clock.sleep(for: .seconds(5))
                } catch {
                    change(name) { $0.cancelled = $1 }
                    throw error
                }
                change(name) { $0.ended = $1 }
                return .update { $0 += 1 }
            }
        }
        let component = Component(
            initialState: 0, environment: (), executor: scheduler.executor,
            dispatcher: work.policy(example.policy(clock)))

        for now in 0...15 {
            second.withLock { $0 = now }
            if now > 0 { scheduler.advance(by: .seconds(1)) }
            guard let name = example.inputs[now] else { continue }
            courses.withLock { $0[name] = Course(sent: now) }
            let handle = component.send(name)
            scheduler.start {
                await handle.finish()
                change(name) { course, now in
                    if course.began == nil { course.cancelled = now }
                }
            }
            scheduler.drain()
        }
        let rows = courses.withLock { $0 }.sorted { $0.key < $1.key }.map { name, course in
            name + "  " + String((0...15).map(course.mark(at:)))
        }
        return (["   0123456789012345"] + rows)
            .map { $0.replacing(#/\s+$/#, with: "") }
            .joined(separator: "\n")
    }
}
