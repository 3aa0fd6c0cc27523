import FunctionalCore
import Loop
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

/// Effects for the children that an event removes.
@Suite(.timeLimit(.minutes(10))) struct UpdateOnRemovalTests {
    private struct Row: Equatable, Identifiable, Sendable {
        let id: Int
        var count = 0
    }

    private struct Note: Equatable, Sendable {
        var text = ""
    }

    private struct App: Equatable, Sendable {
        var rows: [Row] = []
        var page: Row?
        var note: Note?
    }

    private enum Event: AutoPrism, Sendable {
        /// Sets the model, and returns the effect `.own`.
        case set(App)
        /// Returns the effect `.own`, and no model.
        case keep
        case row(id: Int, Int)
    }

    private enum Effect: AutoPrism, Equatable, Sendable {
        case own
        case row(Int)
        case page(Int)
        case pageIsGone
        case noteIsGone
    }

    private static let next = Update<App, Event, Effect> { _, event in
        if case .set(let app) = event { .next(app, effects: [.own]) } else { .dispatchEffects([.own]) }
    }

    private static let inPlace = Update<App, Event, Effect>(inPlace: { app, event in
        if case .set(let new) = event { app = new }
        return [.own]
    })

    private static func watching(_ update: Update<App, Event, Effect>) -> Update<App, Event, Effect> {
        update.onRemoval(of: \.rows) { [.row($0)] }
            .onRemoval(of: Lens(\App.page).some()) { [.page($0)] }
            .onRemoval(of: Lens(\App.page).some()) { [.pageIsGone] }
            .onRemoval(of: Lens(\App.note).some()) { [.noteIsGone] }
    }

    /// The effects of a change, by their definition.
    private static func removals(_ old: App, _ new: App) -> [Effect] {
        var effects: [Effect] = []
        for row in old.rows where !new.rows.contains(where: { $0.id == row.id }) && !effects.contains(.row(row.id)) {
            effects.append(.row(row.id))
        }
        if let page = old.page, page.id != new.page?.id { effects += [.page(page.id), .pageIsGone] }
        if old.note != nil, new.note == nil { effects.append(.noteIsGone) }
        return effects
    }

    private static let apps: Gen<App> = {
        let row = Gen.zip(Gen.int(in: 0...4), Gen.int(in: 0...1)).map { Row(id: $0, count: $1) }
        let note = Gen.int(in: 0...1).map { Note(text: "\($0)") }
        return Gen.zip(row.array(0...6), row.optional, note.optional).map { App(rows: $0, page: $1, note: $2) }
    }()

    @Test(
        "131. An update appends the effects of removed rows and children, in order, and of no others", .cases(500))
    func model() async {
        await forAll(Self.apps, Self.apps) { old, new in
            let effects = [.own] + Self.removals(old, new)
            #expect(Self.watching(Self.next)(old, .set(new)) == .next(new, effects: effects))
            #expect(Self.watching(Self.inPlace)(old, .set(new)) == .next(new, effects: effects))
            #expect(Self.watching(Self.next)(old, .keep) == .dispatchEffects([.own]))
        }
    }

    @Test("131. A removal is seen in rows of a part that may be absent, and through an update of the parent")
    func absentRows() {
        struct Screen: Equatable { var app: App? }
        let update = Update<Screen, Screen, Effect> { _, new in .next(new) }
            .onRemoval(of: Lens(\Screen.app).some().rows) { [.row($0)] }
        let screen = Screen(app: App(rows: [Row(id: 2), Row(id: 1)]))
        #expect(update(screen, Screen(app: nil)).effects == [.row(2), .row(1)])
        #expect(update(screen, Screen(app: App(rows: [Row(id: 1)]))).effects == [.row(2)])
        #expect(update(Screen(app: nil), screen).effects.isEmpty)
    }

    @Test("131. Rows that are changed in place are not copied")
    func changesInPlace() {
        let addresses = Record<UInt>()
        let count = Update<Int, Int, Never>(inPlace: { count, step in
            count += step
            return []
        })
        let rows = count.widen(model: \Row.count, event: Prism.identity).forEach(
            model: \App.rows, event: Event.prism(for: Event.row), effect: { (_, never: Never) -> Effect in })
        let watched = Update.combine(
            Self.watching(rows),
            Update(inPlace: { app, _ in
                addresses.append(app.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                return []
            }))
        let loop = Mobius.loop(update: watched, effectHandler: EffectRouter<Effect, Event>())
            .start(from: App(rows: (0..<1_000).map { Row(id: $0) }, page: Row(id: 1)))
        for _ in 1...3 { loop.dispatchEvent(.row(id: 7, 2)) }
        #expect(loop.latestModel.rows[7].count == 6)
        #expect(Set(addresses.values).count == 1)
    }

    @Test("131. The models that a controller starts from remove nothing")
    func starts() async throws {
        let log = Log()
        let router = EffectRouter<Effect, Event>()
            .routeCase(Effect.own).to { log.append("own") }
            .routeCase(Effect.row).to { log.append("row \($0)") }
            .routeCase(Effect.page).to { log.append("page \($0)") }
            .routeCase(Effect.pageIsGone).to { log.append("page") }
            .routeCase(Effect.noteIsGone).to { log.append("note") }
        let controller = Mobius.loop(update: Self.watching(Self.next), effectHandler: router)
            .makeController(from: App(rows: [Row(id: 1)], page: Row(id: 1)), initiate: { First(model: $0) })
        controller.start()
        controller.stop()
        controller.replaceModel(App(rows: [Row(id: 2)]))
        controller.start()
        try await controller.settled()
        #expect(log.lines.isEmpty)
        controller.dispatchEvent(.set(App()))
        try await controller.settled()
        controller.stop()
        #expect(log.lines == ["own", "row 2"])
    }

    @Test("131. An effect that cancels the work of a removed row drops its late event, and that of no other row")
    func cancelling() {
        struct Loaded: Equatable { let id: Int }
        enum Message: AutoPrism, Sendable {
            case remove(Int)
            case loaded(Int)
        }
        enum Work: AutoPrism, Sendable {
            case load(Int)
            case cancel(Int)
        }
        let scheduler = VirtualScheduler()
        let log = Log()
        let update = Update<[Row], Message, Work>(inPlace: { rows, message in
            switch message {
            case .remove(let id): rows.removeAll { $0.id == id }
            case .loaded(let id): log.append("loaded \(id)")
            }
            return []
        }).onRemoval(of: \.self) { [.cancel($0)] }
        let router = EffectRouter<Work, Message>(executor: scheduler.executor)
            .routeCase(Work.load).policy(.latest, id: { $0 }).toEvent { [clock = scheduler.clock] id in
                try? await clock.sleep(for: .seconds(1))
                return .loaded(id)
            }
            .routeCase(Work.cancel).toCancel { $0 }
        let loop = Mobius.loop(update: update, effectHandler: router)
            .start(from: [Row(id: 1), Row(id: 2)], effects: [.load(1), .load(2)])
        scheduler.drain()
        loop.dispatchEvent(.remove(1))
        scheduler.advance(by: .seconds(2))
        #expect(log.lines == ["loaded 2"])
        loop.dispose()
        scheduler.drain()
    }
}
