import ArchitectureTesting
import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import Testing
import VirtualTime

// The code of an app whose default isolation is the main actor. Only states, and what a test compares, are `nonisolated`.

struct Weather: Sendable { var degrees: @Sendable (String) async throws -> Int }

nonisolated struct Forecast: Equatable, Sendable {
    var city = ""
    var degrees: Int?
}

nonisolated enum ForecastInput: Equatable {
    case show(city: String)
    case clear
}

let forecast = StateDispatcher<Weather, Forecast, ForecastInput>.workflow { input in
    switch input {
    case .clear: [.pure(.set(Forecast()))]
    case .show(let city):
        [
            .pure(.update { $0.city = city }),
            EnvIO { weather in
                let degrees = try await weather.degrees(city)
                return .update { $0.degrees = degrees }
            },
        ]
    }
}

nonisolated struct App: Equatable, Sendable {
    var forecast = Forecast()
    var count = 0
}

enum AppInput: AutoPrism {
    case forecast(ForecastInput)
    case count(Int)
}

let counter = StateDispatcher<Weather, Int, Int>.pure { number in .update { $0 += number } }

let app = StateDispatcher<Weather, App, AppInput>.combine {
    forecast.widen(transformState: \.forecast, transformInput: AppInput.prism(for: AppInput.forecast))
    counter.widen(transformState: \.count, transformInput: AppInput.prism(for: AppInput.count))
}

/// A service of the main actor, which is the environment.
final class Station {
    private let degrees = ["Oslo": 4]
    func degrees(in city: String) -> Int { degrees[city] ?? 0 }
}

/// A view model, which is isolated to the main actor.
final class ForecastModel {
    private let component: Component<App, AppInput>
    private(set) var cities: [String] = []

    init(_ component: Component<App, AppInput>) {
        self.component = component
        component.observe(with: self) { model, app in model.cities.append(app.forecast.city) }
    }

    func show(_ city: String) { component.send(.forecast(.show(city: city))) }
}

nonisolated enum Roll: Equatable {
    case tapped
    case rolled(Int)
}
enum RollEffect { case roll(sides: Int) }

let roll = Update<Int, Roll, RollEffect> { number, event in
    switch event {
    case .tapped: .dispatchEffects([.roll(sides: 6)])
    case .rolled(let number): .next(number)
    }
}

struct GetPost: Action { let id: String }
struct GotPost: Action, Equatable { let title: String }
struct PostsAPI: Sendable { var title: @Sendable (String) async -> String }
nonisolated struct Posts: Equatable, Sendable { var title = "" }

let posts: ReducerFn<Posts> = on(GotPost.self) { posts, got in posts.title = got.title }
let getPost = Effect<PostsAPI> { actions, api in
    actions.ofType(GetPost.self)
        .flatMap(.latest) { get in GotPost(title: await api.title(get.id)) }
        .eraseActionType()
}

/// An app of Xcode 26, whose default isolation is the main actor.
@Suite(.timeLimit(.minutes(10))) struct MainActorAppTests {
    @Test func `a view model is notified of each state on the main actor`() async throws {
        let station = Station()
        let component = Component(
            initialState: App(), environment: Weather { city in await station.degrees(in: city) }, dispatcher: app)
        let model = ForecastModel(component)
        model.show("Oslo")
        try await component.settledIncludingObservers()
        #expect(model.cities == ["", "Oslo", "Oslo"])
        #expect(component.state == App(forecast: Forecast(city: "Oslo", degrees: 4)))
        let part = component.scope(state: \.forecast, input: AppInput.forecast)
        part.send(.clear)
        #expect(part.state == Forecast())
    }

    @Test func `a driver of a component waits for a service of the main actor`() async {
        let station = Station()
        let test = TestDriver(
            app, state: App(), environment: Weather { city in await station.degrees(in: city) })
        let sent = test.send(.forecast(.show(city: "Oslo"))) { $0.forecast.city = "Oslo" }
        await test.eventually { test.change(from: sent) { $0.forecast.degrees = 4 } }
        await test.eventually { test.finish() }
    }

    @Test func `a driver of a loop waits for a handler on the main actor`() async {
        let dice = Station()
        let handler = EffectRouter<RollEffect, Roll>()
            .routeCase(RollEffect.roll).toEvent { sides in .rolled(sides - (await dice.degrees(in: "Oslo"))) }
        let test = TestLoop(Mobius.loop(update: roll, effectHandler: handler), from: 1)
        test.send(.tapped)
        _ = test.takeEffects()
        await test.eventually { test.receive(.rolled(2)) { $0 = 2 } }
        await test.eventually { test.finish() }
    }

    @Test func `a driver of a store states the actions of an effect`() {
        let time = VirtualScheduler()
        let api = PostsAPI { id in
            try? await time.clock.sleep(for: .seconds(1))
            return "Post \(id)"
        }
        let test = TestStore(reducer: posts, state: Posts(), environment: api, effects: [getPost], time: time)
        test.send(GetPost(id: "1"))
        test.advance(by: .seconds(1))
        test.receive(GotPost(title: "Post 1")) { $0.title = "Post 1" }
        test.finish()
    }
}
