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
