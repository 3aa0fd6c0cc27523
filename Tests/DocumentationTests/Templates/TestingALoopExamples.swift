// The code of the article on testing a loop.

import ArchitectureTesting
import FunctionalCore
import Loop
import Testing
import VirtualTime

@Suite("The article on testing a loop", .timeLimit(.minutes(10)))
struct TestingALoopExampleTests {
    //@block Loop/TestingALoop struct Search

    //@block Loop/TestingALoop func searchHandler

    //@block Loop/TestingALoop @Test func typingSearches()

    //@block Loop/TestingALoop @Test func theHandlerWaitsForTheLastText()

    //@block Loop/TestingALoop @Test func theLoopShowsWhatItFinds()
}
