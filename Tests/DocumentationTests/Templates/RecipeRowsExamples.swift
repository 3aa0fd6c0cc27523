// The code of the recipe for a list of rows.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipeRows struct ShoppingItem

//@block Dispatcher/RecipeRows enum ShoppingItemInput

//@block Dispatcher/RecipeRows struct Carrier

@Suite("The recipe for a list of rows", .timeLimit(.minutes(10)))
struct RecipeRowsExampleTests {
    //@block Dispatcher/RecipeRows @Test func aDeletionCanBeUndoneForFiveSeconds()

    @Test func `as many undos as deletions restore the list`() async {
        await forAll(Gen.int(in: 0...9).array(0...20)) { ids in
            let time = VirtualScheduler()
            let component = Component(
                initialState: ShoppingList(), environment: (), executor: time.executor,
                dispatcher: shopping(clock: time.clock))
            for id in 0...9 { component.send(.add("\(id)")) }
            let before = component.state
            for id in ids { component.send(.item(id, .delete)) }
            for _ in ids { component.send(.undo) }
            #expect(component.state == before)
        }
    }

    //@block Dispatcher/RecipeRows @Test func aRowRetriesItsRequest()

    /// An odd number loads a row, and an even one deletes it. The carrier does not respond to cancellation.
    @Test func `a deleted row never comes back, and each other row finds its place`() async {
        await forAll(Gen.int(in: 0...9).array(0...12), Gen.order()) { numbers, order in
            let time = VirtualScheduler(order: order)
            let carrier = Carrier(place: { id in
                await Task(executorPreference: time.executor) {
                    try? await time.clock.sleep(for: .milliseconds(250))
                }.value
                return "place \(id)"
            })
            let component = Component(
                initialState: ParcelList(parcels: (0...4).map { Parcel(id: $0) }), environment: carrier,
                executor: time.executor, dispatcher: parcelList)
            for number in numbers {
                component.send(.parcel(number / 2, number.isMultiple(of: 2) ? .delete : .load))
                time.advance(by: .milliseconds(100))
            }
            time.advance(by: .seconds(1))
            let deleted = Set(numbers.filter { $0.isMultiple(of: 2) }.map { $0 / 2 })
            let loaded = Set(numbers.filter { !$0.isMultiple(of: 2) }.map { $0 / 2 })
            #expect(
                component.state.parcels
                    == (0...4).filter { !deleted.contains($0) }.map { id in
                        Parcel(id: id, status: loaded.contains(id) ? .found("place \(id)") : .unknown)
                    })
        }
    }

    @Test func `an undo after the time is over changes nothing`() {
        let time = VirtualScheduler()
        let component = Component(
            initialState: ShoppingList(), environment: (), executor: time.executor,
            dispatcher: shopping(clock: time.clock))
        component.send(.add("milk"))
        component.send(.item(0, .delete))
        time.advance(by: .seconds(4))
        #expect(component.state.deletions.count == 1)
        time.advance(by: .seconds(1))
        component.send(.undo)
        #expect(component.state.items.isEmpty)
        component.send(.add("tea"))
        #expect(component.state.items.map(\.id) == [1])
    }
}
