import FunctionalCore
import Loop
import TestSupport
import Testing

/// Routers whose routes are written in a block.
@Suite(.timeLimit(.minutes(10))) struct EffectRouterBlockTests {
    enum Effect: Sendable {
        case a
        case b(String)
        case c(String)
        case d(String)
    }

    private let log = Log()

    /// A connectable that sends what it accepts, with its name before it.
    private func echo(_ name: String) -> AnyConnectable<String, String> {
        AnyConnectable { [log] consumer in
            Connection(acceptClosure: { consumer(name + $0) }, disposeClosure: { log.append("end " + name) })
        }
    }

    private func router(isLoud: Bool, hasEcho: Bool = true) -> EffectRouter<Effect, String> {
        EffectRouter { router in
            router.routeCase(Effect.a).toEvent { "a" }
            if hasEcho {
                router
                    .routeCase(Effect.b).to(echo("b"))
                    .routeCase(Effect.c).to(echo("c"))
            }
            if isLoud {
                router.routeCase(Effect.d).policy(.latest).toEvent { $0.uppercased() }
            } else {
                router.routeCase(Effect.d).toEvent { $0 }
            }
        }
    }

    @Test("Each route of a block handles its effects, with its own connectable and policy", arguments: [true, false])
    func routes(isLoud: Bool) {
        let events = Record<String>()
        let connection = router(isLoud: isLoud).connect { events.append($0) }
        for effect in [Effect.d("x"), .c("y"), .b("z"), .a] { connection.accept(effect) }
        #expect(events.values == [isLoud ? "X" : "x", "cy", "bz", "a"])
        connection.dispose()
        #expect(log.lines == ["end b", "end c"])
    }

    @Test("An if without else whose condition does not hold adds no route")
    func withoutElse() {
        // Two routes for one case would trap.
        let router = router(isLoud: false, hasEcho: false).routeCase(Effect.b).toEvent { "other \($0)" }
        let events = Record<String>()
        let connection = router.connect { events.append($0) }
        for effect in [Effect.a, .b("x"), .d("y")] { connection.accept(effect) }
        connection.dispose()
        #expect(events.values == ["a", "other x", "y"])
    }

    @Test("Two statements of a block for one case trap", .promptly)
    func ambiguous() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            EffectRouter<Effect, String> {
                $0.routeCase(Effect.a).to {}
                $0.routeCase(Effect.a).to {}
            }.connect { _ in }.accept(.a)
        }
        #expect(result.standardErrorText.contains("2 routes of the effect router take the effect a"))
    }

    @Test("Connectables end in the order of the block, also if a router was created before")
    func order() {
        let first = EffectRouter<Effect, String>().routeCase(Effect.c).to(echo("c"))
        let router = EffectRouter<Effect, String> { router in
            router.routeCase(Effect.b).to(echo("b"))
            first
        }
        router.connect { _ in }.dispose()
        #expect(log.lines == ["end b", "end c"])
    }

    @Test("A router that a block contains twice is connected once, and disconnected")
    func twice() {
        let target = AnyConnectable<String, String> { [log] _ in
            log.append("connect")
            return Connection(acceptClosure: { _ in }, disposeClosure: { log.append("end") })
        }
        let shared = EffectRouter<Effect, String>().routeCase(Effect.b).to(target)
        let router = EffectRouter<Effect, String> { _ in
            shared
            shared
        }
        router.connect { _ in }.dispose()
        #expect(log.lines == ["connect", "end"])
    }
}
