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
