// The code about errors and ids of the article on effect handlers, and of comments.

import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

@Suite("The article on effect handlers: errors and ids", .timeLimit(.minutes(10)))
struct LoopErrorExampleTests {
    private enum AccountEvent: Equatable {
        case loaded(Int)
        case failed(String, String)
        case open(String)
    }
    private enum AccountEffect {
        case load(String)
        case log(String)
    }
    private struct Locked: Error {}

    private struct Bank: Sendable {
        func balance(of id: String) async throws -> Int {
            if id == "locked" { throw Locked() }
            return 7
        }
        func log(_ line: String) async throws { throw Locked() }
        var deposits: AsyncThrowingStream<AccountEvent, any Error> { AsyncThrowingStream { $0.finish() } }
    }

    @Test func errorsBecomeEventsOrAreObserved() throws {
        let scheduler = VirtualScheduler()
        let (bank, log) = (Bank(), Log())
        @Sendable func report(_ text: String) { log.append(text) }
        let accounting = Update<[AccountEvent], AccountEvent, AccountEffect> { model, event in
            if case .open(let id) = event { return .dispatchEffects([.load(id), .log(id)]) }
            return .next(model + [event])
        }
        _ = {
            //@block Loop/EffectHandlers var account
            _ = account
        }
        let account = EffectRouter<AccountEffect, AccountEvent>(executor: scheduler.executor)
            .routeCase(AccountEffect.load).toEvent { id in
                .loaded(try await bank.balance(of: id))
            } onError: { error, id in
                .failed(id, "\(error)")
            }
            .routeCase(AccountEffect.log).to { line in try await bank.log(line) }

        //@block Loop/EffectHandlers let builder

        let loop = builder.start(from: [])
        loop.dispatchEvent(.open("a"))
        loop.dispatchEvent(.open("locked"))
        try scheduler.run { try await loop.settled() }
        #expect(loop.latestModel == [.loaded(7), .failed("locked", "Locked()")])
        #expect(log.lines.sorted() == ["a", "locked"].map { "The handler of the effect \($0) failed: Locked()" })
    }

    private struct Search: Sendable {
        let window: Int
        let text: String
    }
    private enum WindowEvent: Equatable { case found(Int, String) }
    private enum WindowEffect {
        case search(Search)
        case close(Int)
    }

    @Test func searchesOfOtherWindowsGoOn() {
        let found = Record<WindowEvent>()
        @Sendable func results(_ text: String) async -> String { text }

        //@block Loop/EffectHandlers var searches

        let connection = searches.connect { found.append($0) }
        connection.accept(.search(Search(window: 1, text: "a")))
        connection.accept(.close(1))
        connection.dispose()
    }
}
