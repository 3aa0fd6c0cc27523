// The code of the article on the compiler's messages about loops.

import ArchitectureTesting
import Loop
import TestSupport
import Testing

@Suite("The article on the compiler's messages about loops", .timeLimit(.minutes(10)))
struct LoopDiagnosticsExampleTests {
    enum CounterEvent { case increment, reset, saved }
    enum CounterEffect: Equatable { case save(Int) }

    @Test func returnsAndCases() {
        let log = Log()
        @Sendable func print(_ text: String) { log.append(text) }

        //@block Loop/Diagnostics var update

        //@block Loop/Diagnostics var effectHandler

        let loop = Mobius.loop(update: update, effectHandler: effectHandler).start(from: 2)
        loop.dispatchEvent(.increment)
        #expect(loop.latestModel == 3)
        #expect(log.lines == ["saving 3"])
        loop.dispatchEvent(.reset)
        #expect(loop.latestModel == 0)
    }
    @Test func received() {
        //@block Loop/Diagnostics enum PageEvent
        let update = Update<String, PageEvent, Int> { _, event in
            switch event {
            case .load: return .dispatchEffects([5])
            case .loaded(let title): return .next(title)
            }
        }
        let handler = EffectRouter<Int, PageEvent>().routeEffects(equalTo: 5).toEvent { _ in .loaded("post 5") }
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler), from: "")
        test.send(.load)
        test.effects(5)
        test.receive(.loaded("post 5")) { $0 = "post 5" }
        test.finish()
    }
}
