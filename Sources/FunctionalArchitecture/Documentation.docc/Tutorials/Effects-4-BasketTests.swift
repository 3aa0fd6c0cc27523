import ArchitectureTesting
import FunctionalArchitecture
import Testing
import VirtualTime
@testable import MyApp

@Test func anItemIsAdded() {
    let test = TestStore(
        reducer: basketReducer, state: Basket())

    test.send(AddItem(name: "tea")) { $0.items = ["tea"] }
    test.finish()
}

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
