import ArchitectureTracing
import Foundation
import FunctionalArchitecture

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
