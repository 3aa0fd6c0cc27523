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
        let time = VirtualScheduler()
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler(time.clock)), from: Model(), time: time)

        let sent = test.send(.open(5)) { $0.isLoading = true }
        test.effects(.load(5))
        test.expectWork(sent, .sleeping(until: .seconds(1)))
        test.advance(by: .seconds(1))
        test.receive(.loaded("post 5")) { $0 = Model(title: "post 5") }
        test.finish()
    }

    @Test func initiateIsStated() {
        let time = VirtualScheduler()
        let builder = Mobius.loop(update: update, effectHandler: handler(time.clock))
        let initiate: Initiate<Model, Effect> = { model in
            First(model: model.copy { $0.isLoading = true }, effects: [.load(1)])
        }
        let test = TestLoop(builder, from: Model(), initiate: initiate, time: time) { $0.isLoading = true }
        test.effects(.load(1))
        test.dispose()
    }

    @Test func aCaseIsReceivedAndEffectsAreTaken() {
        let time = VirtualScheduler()
        let test = TestLoop(Mobius.loop(update: update, effectHandler: handler(time.clock)), from: Model(), time: time)
        test.send(.open(5)) { $0.isLoading = true }
        #expect(test.takeEffects() == [.load(5)])
        time.advance(by: .seconds(1))
        let title = test.receive(Event.prism(for: Event.loaded)) { $0 = Model(title: "post 5") }
        #expect(title == "post 5")
    }

    @Test func theExampleOfTheTypeIsThisCode() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let source = try String(
            contentsOf: root.appending(path: "Sources/ArchitectureTesting/Drivers/TestLoop.swift"), encoding: .utf8)
        let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let comment = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
        let lines = Set(code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        let examples = comment.split(separator: "```swift").dropFirst().map { $0.prefix { $0 != "```" } }
        #expect(examples.count == 4)
        for line in examples.joined() where !line.isEmpty { #expect(lines.contains(line)) }
    }
}
