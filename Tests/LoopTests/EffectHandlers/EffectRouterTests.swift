import Dispatch
import Foundation
import Loop
import Optics
import TestSupport
import Testing

/// The routes that match an effect.
@Suite(.timeLimit(.minutes(10))) struct EffectRouterTests {
    enum Effect: Equatable, Sendable {
        case a
        case b(String)
        case c(left: String, right: String)
        indirect case nested(Effect)
    }

    enum Plain: Sendable {
        case a
        case first(Int)
        case second(Int)
        case third(Int)
    }

    private let handled = Record<String>()

    private func accept<Value: Sendable>(_ effects: [Value], by router: EffectRouter<Value, Never>) {
        let connection = router.connect { _ in }
        for effect in effects { connection.accept(effect) }
        connection.dispose()
    }

    // MARK: - Routes

    @Test("40. A route with parameters matches the effects for which its function returns a value")
    func withParameters() {
        let router = EffectRouter<Int, Never>()
            .routeEffects(withParameters: { $0 > 10 ? "\($0)" : nil }).to { [handled] in handled.append("big " + $0) }
            .routeEffects(withParameters: { $0 > 10 ? nil : $0 }).to { [handled] in handled.append("small \($0)") }
        accept([11, 10], by: router)
        #expect(handled.values == ["big 11", "small 10"])
    }

    @Test("41, 42, 43, 44. routeCase matches a case with no payload, one or several, or an indirect one")
    func cases() {
        let router = EffectRouter<Effect, Never>()
            .routeCase(Effect.a).to { [handled] (_: Void) in handled.append("a") }
            .routeCase(Effect.b).to { [handled] (text: String) in handled.append(text) }
            .routeCase(Effect.c).to { [handled] (left, right) in handled.append(left + right) }
            .routeCase(Effect.nested).to { [handled] (effect: Effect) in handled.append("nested \(effect)") }
        accept([.a, .b("b"), .c(left: "c", right: "d"), .nested(.nested(.a)), .a], by: router)
        #expect(handled.values == ["a", "b", "cd", "nested \(Effect.nested(.a))", "a"])
    }

    @Test("45. routeCase tells apart cases of one payload type or none, even if effects are not Equatable")
    func withoutEquatable() {
        let router = EffectRouter<Plain, Never>()
            .routeCase(Plain.third).to { [handled] in handled.append("third \($0)") }
            .routeCase(Plain.a).to { [handled] in handled.append("a") }
            .routeCase(Plain.first).to { [handled] in handled.append("first \($0)") }
            .routeCase(Plain.second).to { [handled] in handled.append("second \($0)") }
        accept([.second(1), .first(2), .a, .third(3), .first(4)], by: router)
        #expect(handled.values == ["second 1", "first 2", "a", "third 3", "first 4"])
    }

    @Test("46. routeCase with a whole value matches only equal effects")
    func wholeValue() {
        // An effect that two routes match would trap.
        let router = EffectRouter<Effect, Never>().routeCase(.b("x")).to { [handled] in handled.append("x") }
            .routeEffects(equalTo: .b("y")).to { [handled] _ in handled.append("y") }
            .routeEffects(equalTo: .a).to { [handled] _ in handled.append("a") }
        accept([.b("x"), .b("y"), .a], by: router)
        #expect(handled.values == ["x", "y", "a"])
    }

    // MARK: - Values and nesting

    @Test("63. Adding a route to a router does not change the original")
    func value() {
        let original = EffectRouter<Effect, Never>().routeCase(Effect.a).to { [handled] in handled.append("a") }
        let left = original.routeCase(Effect.b).to { [handled] in handled.append("left \($0)") }
        let right = original.routeCase(Effect.b).to { [handled] in handled.append("right \($0)") }
        accept([.a], by: original)
        accept([.b("1")], by: left)
        accept([.b("2"), .a], by: right)
        #expect(handled.values == ["a", "left 1", "right 2", "a"])
    }

    enum Grouped: Sendable {
        case plain(Plain)
        case effect(Effect)
    }

    @Test("64. A nested router handles a nested enum of effects and sends its events")
    func nestedRouters() {
        let plain = EffectRouter<Plain, String>()
            .routeCase(Plain.a).toEvent { "plain a" }
            .routeCase(Plain.first).toEvent { "first \($0)" }
        let effect = EffectRouter<Effect, String>().routeCase(Effect.a).toEvent { "effect a" }
        let router = EffectRouter<Grouped, String>()
            .routeCase(Grouped.plain).to(plain)
            .routeCase(Grouped.effect).to(effect.asConnectable)
        let connection = router.connect { [handled] in handled.append($0) }
        connection.accept(.plain(.a))
        connection.accept(.effect(.a))
        connection.accept(.plain(.first(1)))
        connection.dispose()
        connection.accept(.plain(.a))
        #expect(handled.values == ["plain a", "effect a", "first 1"])
    }

    // MARK: - Cost

    @Test func caseRoutesAreTriedOncePerCaseAndOthersForEveryEffect() {
        let (constructions, trials) = (Record<Int>(), Record<Int>())
        var router = EffectRouter<Plain, Never>()
            .routeEffects(withParameters: { _ in trials.append(0) as Void? == nil ? 0 : nil })
            .to { [handled] (_: Int) in handled.append("never") }
        let cases: [@Sendable (Int) -> Plain] = [
            {
                constructions.append($0)
                return .first($0)
            },
            {
                constructions.append($0)
                return .second($0)
            },
            {
                constructions.append($0)
                return .third($0)
            },
        ]
        for (index, enumCase) in cases.enumerated() {
            router = router.routeCase(enumCase).to { [handled] in handled.append("\(index): \($0)") }
        }
        let connection = router.connect { _ in }
        for effect in [Plain.first(1), .second(2), .third(3)] { connection.accept(effect) }
        let learned = constructions.values.count
        #expect(learned > 0)
        for number in 0..<100 { connection.accept(.second(number)) }
        router.connect { _ in }.accept(.third(0))
        #expect(constructions.values.count == learned)
        #expect(trials.values.count == 104)
        #expect(handled.values.prefix(3) == ["0: 1", "1: 2", "2: 3"])
        #expect(handled.values.count == 104)
    }

    enum Compared: Equatable {
        case plain, other

        static let comparisons = Record<Void>()

        static func == (left: Compared, right: Compared) -> Bool {
            comparisons.append(())
            return true
        }
    }

    @Test func aPlainCaseIsMatchedWithoutComparingValues() {
        let router = EffectRouter<Compared, Never>()
            .routeCase(.plain).to { [handled] in handled.append("plain") }
            .routeCase(.other).to { [handled] in handled.append("other") }
        accept([.plain, .other], by: router)
        #expect(handled.values == ["plain", "other"])
        #expect(Compared.comparisons.values.isEmpty)
    }

    @Test("39. routeEffects(equalTo:) matches only equal effects, also if there are many routes")
    func equalTo() {
        var router = EffectRouter<Int, Never>()
        for number in 0..<300 {
            router = router.routeEffects(equalTo: number).to { [handled] in handled.append("\(number) \($0)") }
        }
        accept([0, 299, 150], by: router)
        #expect(handled.values == ["0 0", "299 299", "150 150"])
    }

    // MARK: - Exactly one

    enum Counted: CaseIterable { case none, one, two }

    fileprivate static func counted(_ log: @escaping @Sendable () -> Void) -> EffectRouter<Counted, Never> {
        EffectRouter<Counted, Never>()
            .routeCase(.one).to(log)
            .routeCase(Counted.two).to(log)
            .routeEffects(withParameters: { $0 == .two ? $0 : nil }).to { _ in log() }
    }

    private enum Inner: AutoPrism {
        case one(Int)
        case two(Int)
    }

    private enum Outer: AutoPrism {
        case sub(Inner)
        case number(Int)
        case call(@Sendable () -> Void)
    }

    @Test("Prisms, also composed ones, route nested cases and function payloads")
    func prisms() {
        let sub = Outer.prism(for: Outer.sub)
        let call = Prism<Outer, @Sendable () -> Void>(
            embed: { .call($0) }, extract: { if case .call(let body) = $0 { body } else { nil } })
        let router = EffectRouter<Outer, Never>()
            .routeEffects(matching: call).to { body in body() }
            .routeEffects(matching: sub.appending(Inner.prism(for: Inner.one)))
            .to { [handled] in handled.append("one \($0)") }
            .routeEffects(matching: sub.appending(Inner.prism(for: Inner.two)))
            .to { [handled] in handled.append("two \($0)") }
            .routeCase(Outer.number).to { [handled] in handled.append("number \($0)") }
        accept(
            [.sub(.two(2)), .sub(.one(1)), .call { [handled] in handled.append("called") }, .number(3)], by: router)
        #expect(handled.values == ["two 2", "one 1", "called", "number 3"])
    }

    /// Effects that not exactly one route matches, with what the message says.
    enum Misrouting: CaseIterable, Codable {
        case noRoute, twoRoutes, twoRoutesOfACase, twoRoutesOnAQueue, closureInPlaceOfACase

        func accept() {
            let report: @Sendable () -> Void = { FileHandle.standardError.write(Data("a handler ran".utf8)) }
            switch self {
            case .noRoute: EffectRouterTests.counted(report).connect { _ in }.accept(.none)
            case .twoRoutes: EffectRouterTests.counted(report).connect { _ in }.accept(.two)
            case .twoRoutesOfACase:
                EffectRouter<Plain, Never>().routeCase(Plain.first).to { _ in report() }
                    .routeCase(Plain.second).to { _ in report() }.routeCase(Plain.first).to { _ in report() }
                    .connect { _ in }.accept(.first(7))
            case .twoRoutesOnAQueue:
                let queue = DispatchQueue(label: "never")
                queue.suspend()
                EffectRouter<Int, Never>().routeEffects(equalTo: 1).on(queue: queue).to { _ in report() }
                    .routeEffects(equalTo: 1).on(queue: queue).to { _ in report() }.connect { _ in }.accept(1)
            case .closureInPlaceOfACase:
                EffectRouter<Outer, Never>().routeCase { Outer.sub(.one($0)) }.to { _ in report() }
                    .connect { _ in }.accept(.sub(.one(1)))
            }
        }

        var message: (problem: String, fix: String) {
            let count = "of the effect router take the effect"
            return switch self {
            case .noRoute: ("0 routes \(count) none of Counted; exactly one has to.", "To fix, add a route for it.")
            case .twoRoutes:
                ("2 routes \(count) two of Counted; exactly one has to.", "To fix, make the others leave it.")
            case .twoRoutesOfACase: ("2 routes \(count) first(7) of Plain; exactly one has to.", "To fix, ")
            case .twoRoutesOnAQueue: ("2 routes \(count) 1 of Int", "To fix, ")
            case .closureInPlaceOfACase:
                ("0 routes \(count) sub(", "give routeCase the case by its name, without a closure around it")
            }
        }
    }

    @Test(
        "37, 38, 52. An effect that not exactly one route matches traps before a handler runs, with what to fix",
        .promptly, arguments: Misrouting.allCases)
    func misrouted(_ misrouting: Misrouting) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [misrouting] in misrouting.accept()
        }
        let message = result.standardErrorText
        #expect(message.contains(misrouting.message.problem))
        #expect(message.contains(misrouting.message.fix))
        #expect(!message.contains("a handler ran"))
    }
}
