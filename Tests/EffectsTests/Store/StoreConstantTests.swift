import Effects
import TestSupport
import Testing

private struct Renamed: Action { let name: String }

@Suite("Stores of a constant", .timeLimit(.minutes(10)))
struct StoreConstantTests {
    @Test func aConstantStoreIgnoresActions() {
        let store = Store.constant("Ada")
        let names = Log()
        store.select { $0 }.observe { name in names.append(name) }

        store.dispatch(action: Renamed(name: "Grace"))

        #expect(store.state == "Ada")
        #expect(names.values == ["Ada"])
    }

    @Test func effectsThatAreRegisteredLaterRun() async throws {
        let store = Store.constant("Ada")
        let names = Log()
        store.register(.run(on: Renamed.self) { action in names.append(action.name) })

        store.dispatch(action: Renamed(name: "Grace"))
        try await store.settled()

        #expect(names.values == ["Grace"])
    }
}
