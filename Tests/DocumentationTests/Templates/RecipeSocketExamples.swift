// The code of the recipe for a socket.

import ArchitectureTesting
import Dispatcher
import Effects
import Foundation
import FunctionalCore
import TestSupport
import Testing
import VirtualTime

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

//@block Dispatcher/RecipeSocket struct ChatServer

//@block Dispatcher/RecipeSocket func connection(to

//@block Dispatcher/RecipeSocket func chatComponent

//@block Dispatcher/RecipeSocket extension ChatServer

//@block Dispatcher/RecipeSocket struct EnterRoom

@Suite("The recipe for a socket", .timeLimit(.minutes(10)))
struct RecipeSocketExampleTests {
    //@block Dispatcher/RecipeSocket func testServer

    //@block Dispatcher/RecipeSocket @Test func theStoreReconnects()

    /// Returns a server whose connections last for five seconds and bring one message, except that the first ones fail.
    private func server(_ time: VirtualScheduler, failures: Int, connections: Ref<[String]>) -> ChatServer {
        ChatServer(connect: { room in
            let count = connections.modify { connections in
                connections.append(room)
                return connections.count
            }
            if count <= failures { throw ConnectionLost() }
            return AsyncThrowingStream(unfolding: {
                try await time.clock.sleep(for: .seconds(5))
                return "\(room) \(count)"
            })
        })
    }

    private func driver(_ server: ChatServer, _ time: VirtualScheduler) -> TestDriver<ChatScreen, ChatInput> {
        TestDriver(
            chat, state: ChatScreen(), environment: server,
            subscriptions: { $0.room.map { [connection(to: $0, clock: time.clock)] } ?? [] }, time: time)
    }

    @Test func `the delay doubles up to half a minute, and a connection resets it`() {
        let time = VirtualScheduler()
        let connections = Ref<[String]>([])
        let test = driver(server(time, failures: 7, connections: connections), time)

        test.send(.enter(room: "a")) { $0.room = "a" }
        test.receive(.disconnected)
        for (index, delay) in [1, 2, 4, 8, 16, 30].enumerated() {
            test.advance(by: .seconds(delay) - .milliseconds(1))
            #expect(connections.get().count == index + 1)
            test.advance(by: .milliseconds(1))
            test.receive(.disconnected)
        }
        test.advance(by: .seconds(30))
        test.receive(.connected) { $0.isOnline = true }
        test.send(.leave) { $0 = ChatScreen() }
        test.finish()
        #expect(time.clock.sleeperCount == 0)
    }

    @Test func `in a store, the delay doubles up to half a minute, and a connection resets it`() {
        let time = VirtualScheduler()
        let connections = Ref<[String]>([])
        let test = TestStore(
            reducer: chatReducer, state: ChatScreen(),
            environment: server(time, failures: 7, connections: connections), effects: [chatting(clock: time.clock)],
            time: time)

        test.send(EnterRoom(room: "a")) { $0.room = "a" }
        for (index, delay) in [1, 2, 4, 8, 16, 30].enumerated() {
            test.advance(by: .seconds(delay) - .milliseconds(1))
            #expect(connections.get().count == index + 1)
            test.advance(by: .milliseconds(1))
        }
        test.advance(by: .seconds(30))
        test.receive(Connected()) { $0.isOnline = true }
        test.send(LeaveRoom()) { $0 = ChatScreen() }
        test.finish()
        #expect(time.clock.sleeperCount == 0)
    }

    @Test func `in a store, a connection that fails is lost, and a failed attempt after it waits for one second`() {
        let time = VirtualScheduler()
        let attempts = Ref(0)
        let server = ChatServer(connect: { _ in
            let attempt = attempts.modify { attempts in
                attempts += 1
                return attempts
            }
            if attempt.isMultiple(of: 2) { throw ConnectionLost() }
            return AsyncThrowingStream(unfolding: {
                try await time.clock.sleep(for: .seconds(5))
                throw ConnectionLost()
            })
        })
        let test = TestStore(
            reducer: chatReducer, state: ChatScreen(), environment: server, effects: [chatting(clock: time.clock)],
            time: time)

        test.send(EnterRoom(room: "a")) { $0.room = "a" }
        for round in 1...3 {
            test.receive(Connected()) { $0.isOnline = true }
            test.advance(by: .seconds(5))
            test.receive(Disconnected()) { $0.isOnline = false }
            test.advance(by: .seconds(2) - .milliseconds(1))
            #expect(attempts.get() == 2 * round)
            test.advance(by: .milliseconds(1))
        }
        test.receive(Connected()) { $0.isOnline = true }
        test.send(LeaveRoom()) { $0 = ChatScreen() }
        test.finish()
        #expect(time.clock.sleeperCount == 0)
    }

    @Test func `entering another room drops the messages of the first one`() {
        let time = VirtualScheduler()
        let connections = Ref<[String]>([])
        let test = driver(server(time, failures: 0, connections: connections), time)

        test.send(.enter(room: "a")) { $0.room = "a" }
        test.receive(.connected) { $0.isOnline = true }
        test.advance(by: .seconds(4))
        test.send(.enter(room: "b")) { $0 = ChatScreen(room: "b") }
        test.receive(.connected) { $0.isOnline = true }
        test.advance(by: .seconds(5))
        test.receive(.received("b 2")) { $0.messages = ["b 2"] }
        test.send(.leave) { $0 = ChatScreen() }
        test.finish()
        #expect(connections.get() == ["a", "b"])
    }

    @Test func `the component has a connection while a room is open`() {
        let time = VirtualScheduler()
        let connections = Ref<[String]>([])
        let server = server(time, failures: 0, connections: connections)
        let component = chatComponent(server, clock: time.clock)
        component.send(.leave)
        #expect(connections.get() == [])
        #expect(component.state == ChatScreen())
    }
}
