import Loop
import Optics
import PropertyTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct UpdateComposingTests {
    private struct Page: Equatable, Identifiable {
        var id = 0
        var count = 0
    }

    private struct App: Equatable {
        var count = 0
        var title = "app"
        var page: Page?
        var screen = Screen.loading
        var pages: [Page] = []
    }

    private enum Screen: Equatable, AutoPrism {
        case loading
        case shown(Int)
    }
    private enum AppEvent: AutoPrism {
        case step(Int)
        case page(id: Int, Int)
        case other
    }
    private enum AppEffect: Equatable {
        case beep(Int)
        case page(id: Int, Int)
    }

    /// Adds the step to the count. A step of zero has only an effect.
    private static let counter = Update<Int, Int, Int> { count, step in
        switch step {
        case 0: .dispatchEffects([count])
        case 1: .next(count + 1)
        default: .next(count + step, effects: [step, count + step])
        }
    }

    private static let step = AppEvent.prism(for: AppEvent.step)

    // MARK: - widen

    @Test("An update may be called with labels, as in Mobius")
    func callWithLabels() {
        let update = Update<Int, Int, Int> { model, event in .next(model + event, effects: [event]) }
        #expect(update(model: 1, event: 2) == update(1, 2))
        #expect(update(model: 1, event: 2) == .next(3, effects: [2]))
    }

    @Test func widenUpdatesThroughALensOrAKeyPathAndIgnoresOtherEvents() {
        for app in [
            Self.counter.widen(model: Lens(\App.count), event: Self.step, effect: AppEffect.beep),
            Self.counter.widen(model: \App.count, event: Self.step, effect: AppEffect.beep),
        ] {
            #expect(app(App(count: 2), .step(3)) == .next(App(count: 5), effects: [.beep(3), .beep(5)]))
            #expect(app(App(count: 2), .step(0)) == .dispatchEffects([.beep(2)]))
            #expect(app(App(count: 2), .other) == .noChange)
        }
    }

    @Test func widenUpdatesThroughAPrismOrAnAffine() {
        let shown = Screen.prism(for: Screen.shown)
        let screen = Self.counter.widen(model: shown, event: Self.step, effect: AppEffect.beep)
        #expect(screen(.shown(1), .step(1)) == .next(.shown(2)))
        #expect(screen(.loading, .step(0)) == .noChange)

        let app = Self.counter.widen(
            model: Lens(\App.page).some().count, event: Self.step, effect: AppEffect.beep)
        #expect(app(App(page: Page(count: 1)), .step(1)) == .next(App(page: Page(count: 2))))
        #expect(app(App(page: nil), .step(3)) == .noChange)
    }

    @Test("A widened child without effects answers with a model only if the child does")
    func childWithoutEffects() {
        let child = Update<Int, Int, Never> { count, step in step == 0 ? .noChange : .next(count + step) }
        let app = child.widen(model: Lens(\App.count), event: Self.step, effect: { (_: Never) -> AppEffect in })
        #expect(app(App(), .step(0)) == .noChange)
        #expect(app(App(), .step(2)) == .next(App(count: 2)))
        #expect(app(App(), .other) == .noChange)
    }

    @Test func unchangedWidenArgumentsCanBeOmitted() {
        let model = Self.counter.widen(model: \App.count, event: Prism.identity)
        #expect(model(App(), 2) == .next(App(count: 2), effects: [2, 2]))
        let event = Self.counter.widen(model: \.self, event: Self.step)
        #expect(event(1, .step(1)) == .next(2))
    }

    // MARK: - combine

    @Test func combinedUpdatesReceiveTheModelOfThePreviousUpdate() {
        let double = Update<Int, Int, Int> { count, _ in .next(count * 2, effects: [-1]) }
        let silent = Update<Int, Int, Int> { _, _ in .noChange }
        #expect(Update.combine(Self.counter, silent, double)(1, 2) == .next(6, effects: [2, 3, -1]))
        #expect(Update.combine(double, Self.counter)(1, 2) == .next(4, effects: [-1, 2, 4]))
        #expect(Update.combine(silent, silent)(1, 2) == .noChange)
        #expect(Update.combine(Self.counter, silent)(1, 0) == .dispatchEffects([1]))
    }

    // MARK: - forEach

    @Test func forEachUpdatesTheElementWithTheID() {
        let page = Self.counter.widen(model: \Page.count, event: Prism.identity)
        let table = App(pages: [Page(id: 1), Page(id: 2, count: 5)])
        let byThemselves = page.forEach(
            model: \App.pages, event: AppEvent.prism(for: AppEvent.page), effect: AppEffect.page)
        let byPath = page.forEach(
            model: Lens(\App.pages), id: \.id, event: AppEvent.prism(for: AppEvent.page), effect: AppEffect.page)
        for app in [byThemselves, byPath] {
            #expect(
                app(table, .page(id: 2, 3))
                    == .next(
                        App(pages: [Page(id: 1), Page(id: 2, count: 8)]),
                        effects: [.page(id: 2, 3), .page(id: 2, 8)]))
            #expect(app(table, .page(id: 3, 3)) == .noChange)
            #expect(app(table, .step(3)) == .noChange)
        }
    }

    @Test func forEachUpdatesTheValueOfADictionary() {
        let users = Self.counter.forEach(
            model: Lens(\[String: Int].self), element: Affine.element(id:),
            event: Prism<(String, Int), (String, Int)>.identity, effect: { id, effect in "\(id): \(effect)" })
        #expect(
            users(["ann": 1, "ben": 5], ("ben", 3)) == .next(["ann": 1, "ben": 8], effects: ["ben: 3", "ben: 8"]))
        #expect(users(["ann": 1], ("ben", 3)) == .noChange)
    }

    // MARK: - Laws

    /// Generates arbitrary updates, whose answers depend only on the model and the event.
    private static let update = Gen.zip(Gen.int(in: -9...9).optional, Gen.int(in: -9...9).array(0...2))
        .map { model, effects in
            model.map { Next<Int, Int>.next($0, effects: effects) } ?? .dispatchEffects(effects)
        }
        .function(of: (Int, Int).self)

    private static func update(_ answers: GeneratedFunction<(Int, Int), Next<Int, Int>>) -> Update<Int, Int, Int> {
        Update { model, event in answers((model, event)) }
    }

    private static let number = Gen.int(in: -9...9)

    @Test func wideningByTheIdentityChangesNothing() async {
        await forAll(Self.update, Self.number, Self.number) { answers, model, event in
            let update = Self.update(answers)
            let same = update.widen(
                model: Lens<Int, Int>.identity, event: Prism<Int, Int>.identity, effect: { $0 })
            #expect(same(model, event) == update(model, event))
            #expect(update.widen(model: \.self, event: Prism.identity)(model, event) == update(model, event))
        }
    }

    @Test func wideningTwiceEqualsWideningByTheComposite() async {
        await forAll(Self.update, Self.number, Self.number, Gen.bool) { answers, count, event, isThere in
            let update = Self.update(answers)
            let twice = update.widen(model: \Page.count, event: Prism<Int, Int>.identity, effect: { $0 + 1 })
                .widen(model: Lens(\App.page).some(), event: Self.step, effect: { AppEffect.beep($0) })
            let once = update.widen(
                model: Lens(\App.page).some().count, event: Self.step, effect: { AppEffect.beep($0 + 1) })
            let app = App(page: isThere ? Page(count: count) : nil)
            #expect(twice(app, .step(event)) == once(app, .step(event)))
        }
    }

    @Test func combiningIsAMonoid() async {
        await forAll(Self.update, Self.update, Self.update, Self.number, Self.number) { f, g, h, model, event in
            let (f, g, h) = (Self.update(f), Self.update(g), Self.update(h))
            let answer = Update.combine(f, g, h)(model, event)
            #expect(Update.combine(.combine(f, g), h)(model, event) == answer)
            #expect(Update.combine(f, .combine(g, h))(model, event) == answer)
            #expect(Update.combine(.combine(), f)(model, event) == f(model, event))
            #expect(Update.combine(f, .combine())(model, event) == f(model, event))
        }
    }

    @Test func wideningDistributesOverCombining() async {
        await forAll(Self.update, Self.update, Self.number, Self.number) { f, g, count, event in
            let (f, g) = (Self.update(f), Self.update(g))
            let app = App(count: count)
            func inApp(_ update: Update<Int, Int, Int>) -> Update<App, Int, Int> {
                update.widen(model: \App.count, event: Prism.identity)
            }
            #expect(
                inApp(.combine(f, g))(app, event) == Update.combine(inApp(f), inApp(g))(app, event))
        }
    }
}
