// The code of the tutorial about stores and effects. `TutorialSource` explains the markers.

import ArchitectureTesting
import ArchitectureTracing
import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

//@file Basket.swift
//@show import FunctionalArchitecture

struct AddItem: Action, Equatable { let name: String }
//@from 2
struct GetPrice: Action, Equatable { let names: [String] }
struct GotPrice: Action, Equatable { let price: Int }
//@endfrom
//@from 4
struct NoPrice: Action, Equatable {}
//@endfrom

struct Basket: Equatable, Sendable {
    var items: [String] = []
    //@from 2
    var price: Int?
    //@endfrom
    //@from 4
    var isOffline = false
    //@endfrom
}

var basketReducer: ReducerFn<Basket> {
    combine {
        on(AddItem.self) { basket, add in
            basket.items.append(add.name)
        }
        //@from 2
        on(GotPrice.self) { basket, got in
            basket.price = got.price
            //@from 4
            basket.isOffline = false
            //@endfrom
        }
        //@endfrom
        //@from 4
        on(NoPrice.self) { basket, _ in
            basket.isOffline = true
        }
        //@endfrom
    }
}
//@from 2

struct Prices: Sendable {
    var items: @Sendable () -> [String]
    var price: @Sendable ([String]) async throws -> Int
}

var pricing: Effect<Prices> {
    Effect { actions, prices in
        actions.ofType(GetPrice.self).flatMap(.latest) { get in
            ActionStream<any Action> {
                GotPrice(price: try await prices.price(get.names))
            }
            //@from 4
            .replaceError(with: NoPrice())
            //@endfrom
        }
    }
}
//@endfrom
//@from 3

func asking(
    clock: some Clock<Duration> = .continuous
) -> Effect<Prices> {
    Effect { actions, prices in
        actions.ofType(AddItem.self)
            .debounce(for: .milliseconds(300), clock: clock)
            .map { _ in GetPrice(names: prices.items()) }
    }
}
//@endfrom
//@endfile

@Suite("The tutorial about effects", .timeLimit(.minutes(10)))
struct EffectsTutorialTests {
    //@file BasketTests.swift
    //@show import ArchitectureTesting
    //@show import FunctionalArchitecture
    //@show import Testing
    //@show import VirtualTime
    //@show @testable import MyApp

    @Test func anItemIsAdded() {
        let test = TestStore(
            reducer: basketReducer, state: Basket())

        test.send(AddItem(name: "tea")) { $0.items = ["tea"] }
        test.finish()
    }
    //@from 2

    @Test func aPriceIsShown() {
        let time = VirtualScheduler()
        let prices = Prices(
            items: { [] },
            price: { names in
                try await time.clock.sleep(for: .seconds(1))
                return 3 * names.count
            })
        let test = TestStore(
            reducer: basketReducer, state: Basket(),
            environment: prices, effects: [pricing], time: time)

        test.send(GetPrice(names: ["tea", "cake"]))
        test.advance(by: .seconds(1))
        test.receive(GotPrice(price: 6)) { $0.price = 6 }
        test.finish()
    }
    //@endfrom
    //@from 3

    @Test func thePriceIsAskedForAfterAPause() {
        let time = VirtualScheduler()
        let prices = Prices(
            items: { ["tea", "cake"] }, price: { _ in 6 })
        let test = TestStore(
            reducer: basketReducer, state: Basket(),
            environment: prices,
            effects: [asking(clock: time.clock), pricing],
            time: time)

        test.send(AddItem(name: "tea")) { $0.items = ["tea"] }
        test.advance(by: .milliseconds(200))
        test.send(AddItem(name: "cake")) {
            $0.items = ["tea", "cake"]
        }
        test.advance(by: .milliseconds(300))
        test.receive(GetPrice(names: ["tea", "cake"]))
        test.receive(GotPrice(price: 6)) { $0.price = 6 }
        test.finish()
    }
    //@endfrom
    //@from 4

    @Test func aFailureIsAnAction() {
        struct Offline: Error {}
        let prices = Prices(
            items: { [] }, price: { _ in throw Offline() })
        let test = TestStore(
            reducer: basketReducer, state: Basket(),
            environment: prices, effects: [pricing])

        test.send(GetPrice(names: ["tea"]))
        test.receive(NoPrice()) { $0.isOffline = true }
        test.send(GotPrice(price: 3)) { basket in
            basket.price = 3
            basket.isOffline = false
        }
        test.finish()
    }
    //@endfrom
    //@from 5

    @Test func aTraceShowsEachAction() {
        let time = VirtualScheduler()
        let events = TraceBuffer()
        let store = Store(
            reducer: basketReducer, initialState: Basket(),
            environment: { state in
                Prices(
                    items: { state().items },
                    price: { names in 3 * names.count })
            },
            effects: [asking(clock: time.clock), pricing],
            executor: time.executor,
            trace: Trace(to: events, clock: time.clock))

        store.dispatch(action: AddItem(name: "tea"))
        time.advance(by: .seconds(1))

        #expect(store.state.price == 3)
        let received = events.all.filter { event in
            if case .received = event.kind { true } else { false }
        }
        #expect(received.count == 3)
    }
    //@endfrom
    //@endfile

    @Test func theProgramWritesItsTrace() async throws {
        let folder = try TraceFolder()
        // Stands in for the type of this name.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func URL(filePath path: String) -> Foundation.URL { folder.file(path) }

        //@file main.swift
        //@from 5
        //@show import ArchitectureTracing
        //@show import Foundation
        //@show import FunctionalArchitecture

        let file = try JSONLinesFile(
            at: URL(filePath: "basket.jsonl"))
        let store = Store(
            reducer: basketReducer, initialState: Basket(),
            environment: { state in
                Prices(
                    items: { state().items },
                    price: { names in 3 * names.count })
            },
            effects: [asking(), pricing],
            trace: Trace(to: file))

        store.dispatch(action: AddItem(name: "tea"))
        try await store.settled()
        file.close()
        //@endfrom
        //@endfile

        #expect(store.state.price == 3)
        #expect(try folder.records(of: "basket.jsonl").first?.kind == .created)
    }
}
