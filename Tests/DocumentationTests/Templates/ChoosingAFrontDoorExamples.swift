// The code of the article on choosing a front door.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing

@Suite("The article on choosing a front door", .timeLimit(.minutes(10)))
struct ChoosingAFrontDoorExampleTests {
    //@block Dispatcher/ChoosingAFrontDoor struct Disk

    private func stateOfTheComponent(_ disk: Disk) async -> Counter {
        //@block Dispatcher/ChoosingAFrontDoor var counter

        return component.state
    }

    private func modelOfTheLoop(_ disk: Disk) async throws -> Counter {
        //@block Dispatcher/ChoosingAFrontDoor enum CounterEvent

        return loop.latestModel
    }

    private func stateOfTheStore(_ disk: Disk) async throws -> Counter {
        //@block Dispatcher/ChoosingAFrontDoor struct SetCount

        return store.state
    }

    // MARK: - If the work depends on the state

    private struct Feeds: Equatable, Sendable { var titles: [Int: String] = [:] }
    private enum FeedsEvent {
        case refresh
        case loaded(Int, String)
    }
    private enum FeedsEffect: Equatable { case load(Int) }
    private struct FeedServer: Sendable {
        var ids: @Sendable () -> [Int]
        var title: @Sendable (Int) async throws -> String
    }

    @Test("A loop and a dispatcher refresh the feeds that the state contains")
    func feedsOfTheState() async throws {
        let feeds = Feeds(titles: [1: "", 2: ""])
        let title: @Sendable (Int) async throws -> String = { "Feed \($0)" }

        //@block Dispatcher/ChoosingAFrontDoor var feedsUpdate

        let handler = EffectRouter<FeedsEffect, FeedsEvent>()
            .routeCase(FeedsEffect.load).toEvent { id in .loaded(id, try await title(id)) }
        let loop = Mobius.loop(update: feedsUpdate, effectHandler: handler).start(from: feeds)
        loop.dispatchEvent(.refresh)
        try await loop.settled()

        //@block Dispatcher/ChoosingAFrontDoor var refreshing

        await reader.send(()).finish()
        let refreshed = Feeds(titles: [1: "Feed 1", 2: "Feed 2"])
        #expect([loop.latestModel, reader.state] == [refreshed, refreshed])
    }

    private func finalStates(_ disk: Disk) async throws -> [Counter] {
        [await stateOfTheComponent(disk), try await modelOfTheLoop(disk), try await stateOfTheStore(disk)]
    }

    @Test("All three front doors save the count, and show that it is saved")
    func allThreeSaveTheCount() async throws {
        let saved = Record<Int>()
        let states = try await finalStates(Disk { count in saved.append(count) })
        #expect(states == Array(repeating: Counter(count: 3, status: .saved), count: 3))
        #expect(saved.values == [3, 3, 3])
    }

    @Test("All three front doors keep the count if it cannot be saved, and show the failure")
    func allThreeShowAFailure() async throws {
        struct Full: Error {}
        let states = try await finalStates(Disk { _ in throw Full() })
        #expect(states == Array(repeating: Counter(count: 3, status: .failed), count: 3))
    }
}
