// The code of the article on persisting.

import Dispatcher
import Effects
import FunctionalCore
import TestSupport
import Testing

@Suite("The article on persisting", .timeLimit(.minutes(10)))
struct PersistingExampleTests {
    //@block FunctionalArchitecture/Persisting struct Preferences

    //@block FunctionalArchitecture/Persisting func makeReader

    //@block FunctionalArchitecture/Persisting func keepFontSize

    //@block FunctionalArchitecture/Persisting func finishSaving

    //@block FunctionalArchitecture/Persisting @Test func onlyANewFontSizeIsWritten

    @Test func aStoreKeepsTheFontSize() async throws {
        struct FontSizeChanged: Action { let size: Int }
        let stored = Ref<[String: Int]>([:])
        let store = Store(
            reducer: on(FontSizeChanged.self) { (reader: inout Reader, changed) in reader.fontSize = changed.size },
            initialState: Reader())
        keepFontSize(
            of: store,
            in: Preferences(read: { _ in nil }, write: { key, size in stored.modify { $0[key] = size } }))
        #expect(stored.get() == [:])
        store.dispatch(action: FontSizeChanged(size: 14))
        #expect(stored.get() == ["fontSize": 14])
        try await finishSaving(makeReader(Preferences(read: { _ in nil }, write: { _, _ in })))
    }
}
