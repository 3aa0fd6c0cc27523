// The code of the article on testing a dispatcher.

import Dispatcher
import FunctionalCore
import Testing
import VirtualTime

//@block Dispatcher/TestingADispatcher private struct Library

@Suite("The article on testing a dispatcher", .timeLimit(.minutes(10)))
struct TestingADispatcherExampleTests {
    //@block Dispatcher/TestingADispatcher @Test func aSearchShowsItsBooks()

    //@block Dispatcher/TestingADispatcher @Test func aSearchLoadsBeforeItShowsBooks()

    //@block Dispatcher/TestingADispatcher @Test func aFailedSearchShowsItsError()

    //@block Dispatcher/TestingADispatcher @Test func anErrorWithoutAHandlerIsReported()

    //@block Dispatcher/TestingADispatcher @Test func aSearchStartsAfterAPauseInTyping()

    //@block Dispatcher/TestingADispatcher @Test func aSearchEndsInVirtualTime()

    //@block Dispatcher/TestingADispatcher @Test func theFirstActionOnlyMarksTheSearch()
}
