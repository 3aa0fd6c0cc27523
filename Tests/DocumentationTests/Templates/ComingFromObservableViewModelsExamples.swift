// The code of the article for those who come from view models.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import TestSupport
import Testing
import VirtualTime

//@block FunctionalArchitecture/ComingFromObservableViewModels struct BookService

//@block FunctionalArchitecture/ComingFromObservableViewModels typealias Searching

//@block FunctionalArchitecture/ComingFromObservableViewModels func bookSearch

@Suite("Coming from view models", .timeLimit(.minutes(10)))
struct ComingFromObservableViewModelsExampleTests {
    //@block FunctionalArchitecture/ComingFromObservableViewModels @Test func onlyTheLastTextIsSearched

    @Test func selectingABookCancelsNothing() {
        let time = VirtualScheduler()
        let test = TestDriver(
            bookSearch(clock: time.clock), state: BookSearch(), environment: BookService { [$0] }, time: time)
        let sent = test.send(.textChanged("owls")) { $0.text = "owls" }
        test.send(.selected("Owls")) { $0.selected = "Owls" }
        test.advance(by: .milliseconds(300))
        test.change(from: sent) { $0.isLoading = true }
        test.change(from: sent) {
            $0.books = ["owls"]
            $0.isLoading = false
        }
        test.finish()
    }

    @Test func aFailureIsShown() {
        struct Offline: Error {}
        let time = VirtualScheduler()
        let test = TestDriver(
            bookSearch(clock: time.clock), state: BookSearch(), environment: BookService { _ in throw Offline() },
            time: time)
        let sent = test.send(.textChanged("owls")) { $0.text = "owls" }
        test.advance(by: .milliseconds(300))
        test.change(from: sent) { $0.isLoading = true }
        test.change(from: sent) {
            $0.isLoading = false
            $0.failure = "Offline()"
        }
        test.finish()
    }
}
