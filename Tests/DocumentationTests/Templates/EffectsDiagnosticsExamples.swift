// The code of the article on the compiler's messages about stores.

import ArchitectureTesting
import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("The article on the compiler's messages about stores", .timeLimit(.minutes(10)))
struct EffectsDiagnosticsExampleTests {
    struct AskPrice: Action { let name: String }
    struct PriceCame: Action, Equatable { let price: Int }
    struct NoPrice: Action, Equatable {}
    struct Shop: Sendable { var price: @Sendable (String) async throws -> Int }
    private struct SoldOut: Error {}

    private let shop = Shop { name in if name == "tea" { throw SoldOut() } else { name.count } }

    @Test func effects() {
        let log = Log()
        @Sendable func print(_ price: Int) { log.append("\(price)") }

        //@block Effects/Diagnostics var reducer

        //@block Effects/Diagnostics var logging

        //@block Effects/Diagnostics var asking

        let effects = [asking, logging.contramap { _ in }]
        let test = TestStore(reducer: reducer, state: 0, environment: shop, effects: effects)
        test.send(AskPrice(name: "cake"))
        test.receive(PriceCame(price: 4)) { $0 = 4 }
        test.send(AskPrice(name: "tea"))
        test.receive(NoPrice())
        test.finish()
        #expect(log.lines == ["4"])

        //@block Effects/Diagnostics var answering

        let answers = TestStore(reducer: reducer, state: 0, environment: shop, effects: [answering])
        answers.send(AskPrice(name: ""))
        answers.send(AskPrice(name: "cake"))
        answers.receive(PriceCame(price: 4)) { $0 = 4 }
        answers.finish()
    }

    @Test func environments() async throws {
        let reducer: ReducerFn<Int> = on(PriceCame.self) { state, came in state = came.price }
        let asking = Effect<Shop>.map(AskPrice.self, .latest) { ask, shop in
            PriceCame(price: try await shop.price(ask.name))
        }
        let log = Log()
        let printing = Effect.run(on: AskPrice.self) { ask in log.append(ask.name) }

        //@block Effects/Diagnostics let store

        store.dispatch(action: AskPrice(name: "cake"))
        try await store.settled()
        #expect(store.state == 4)
        #expect(log.lines == ["cake"])
    }
}
