// The code of the documentation comments of `TestLoop`.

import ArchitectureTesting
import Foundation
import FunctionalCore
import Loop
import Optics
import Testing
import VirtualTime

@Suite("The documentation of TestLoop", .timeLimit(.minutes(10)))
struct TestLoopExampleTests {
    struct Model: Equatable, Mobius.Copyable {
        var title = ""
        var isLoading = false
    }
    enum Event: Equatable, AutoPrism {
        case open(Int)
        case loaded(String)
    }
    enum Effect: Equatable { case load(Int) }

    let update = Update<Model, Event, Effect> { model, event in
        switch event {
        case .open(let id): .next(model.copy { $0.isLoading = true }, effects: [.load(id)])
        case .loaded(let title): .next(Model(title: title))
        }
    }

    func handler(_ clock: VirtualClock) -> EffectRouter<Effect, Event> {
        EffectRouter()
            .routeCase(Effect.load).toEvent { id in
                try await clock.sleep(for: .seconds(1))
                return .loaded("post \(id)")
            }
    }

    @Test func aTestStatesWhatHappens() {
        //@block ArchitectureTesting/TestLoop let time
    }

    @Test func initiateIsStated() {
        let time = VirtualScheduler()
        let builder = Mobius.loop(update: update, effectHandler: handler(time.clock))
        let initiate: Initiate<Model, Effect> = { model in
            First(model: model.copy { $0.isLoading = true }, effects: [.load(1)])
        }
        //@block ArchitectureTesting/TestLoop let test
        test.dispose()
    }

    @Test func aCaseIsReceivedAndEffectsAreTaken() {
        let time = VirtualScheduler()
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler(time.clock)), from: Model(), time: time)
        test.send(.open(5)) { $0.isLoading = true }
        //@block ArchitectureTesting/TestLoop #expect(test.takeEffects()
        time.advance(by: .seconds(1))
        //@block ArchitectureTesting/TestLoop let title
        #expect(title == "post 5")
    }
}
