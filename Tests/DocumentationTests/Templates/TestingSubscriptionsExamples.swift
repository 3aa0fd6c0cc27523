// The code of the article on testing subscriptions.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

@Suite("The article on testing subscriptions", .timeLimit(.minutes(10)))
struct TestingSubscriptionsExampleTests {
    //@block ArchitectureTesting/TestingSubscriptions struct Server

    //@block ArchitectureTesting/TestingSubscriptions let time

    //@block ArchitectureTesting/TestingSubscriptions @Test func aRoomShowsItsMessages

    //@block ArchitectureTesting/TestingSubscriptions @Test func leavingARoomEndsItsMessages

    //@block ArchitectureTesting/TestingSubscriptions @Test func anotherRoomIsAnotherSubscription

    //@block ArchitectureTesting/TestingSubscriptions @Test func aLostConnectionIsReported

    @Test func whatAContinuationYieldsIsProcessedAtTheNextAdvance() {
        let (messages, continuation) = AsyncStream<ChatInput>.makeStream()
        let test = TestDriver(
            chat, state: Chat(), environment: server,
            subscriptions: { chat in chat.room == nil ? [] : [.stream(id: "messages") { _ in messages }] }, time: time)
        test.send(.enter("garden")) { $0.room = "garden" }
        continuation.yield(.received("hello"))
        test.advance(by: .zero)
        test.receive(.received("hello")) { $0.messages = ["hello"] }
        test.finish()
    }
}
