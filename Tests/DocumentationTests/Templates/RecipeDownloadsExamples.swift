// The code of the recipe for a download queue.

import ArchitectureTesting
import Dispatcher
import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipeDownloads struct FileServer

//@block Dispatcher/RecipeDownloads typealias Transfer

//@block Dispatcher/RecipeDownloads typealias DownloadQueue

@Suite("The recipe for a download queue", .timeLimit(.minutes(10)))
struct RecipeDownloadsExampleTests {
    //@block Dispatcher/RecipeDownloads func testServer

    @Test func `a waiting download is cancelled without a call, and can be started again`() {
        let time = VirtualScheduler()
        let calls = Recorder()
        let test = TestDriver(
            downloads(atOnce: 1), state: Downloads(), environment: testServer(time, calls), time: time, calls: calls)

        let a = test.send(.start("a")) { $0.files["a"] = .waiting }
        test.expectCall("download", "a")
        test.send(.start("b")) { $0.files["b"] = .waiting }
        test.send(.cancel("b")) { $0.files["b"] = .cancelled }
        let c = test.send(.start("c")) { $0.files["c"] = .waiting }
        let b = test.send(.start("b")) { $0.files["b"] = .waiting }
        test.advance(by: .seconds(9))
        for (file, sent) in [("a", a), ("c", c), ("b", b)] {
            if file != "a" { test.expectCall("download", file) }
            test.change(from: sent) { $0.files[file] = .loading(percent: 50) }
            test.change(from: sent) { $0.files[file] = .loading(percent: 100) }
            test.change(from: sent) { $0.files[file] = .loaded }
        }
        test.finish()
    }

    private struct Unreachable: Error {}

    @Test func `a failed download makes room, and is retried`() {
        let time = VirtualScheduler()
        let failures = Ref(1)
        let server = FileServer(download: { _ in
            let isFirst = failures.modify { left in
                left -= 1
                return left >= 0
            }
            return AsyncThrowingStream(unfolding: {
                try await time.clock.sleep(for: .seconds(1))
                if isFirst { throw Unreachable() }
                return nil
            })
        })
        let test = TestDriver(downloads(atOnce: 1), state: Downloads(), environment: server, time: time)

        let first = test.send(.start("a")) { $0.files["a"] = .waiting }
        let other = test.send(.start("b")) { $0.files["b"] = .waiting }
        test.advance(by: .seconds(1))
        test.change(from: first) { $0.files["a"] = .failed }
        let second = test.send(.start("a")) { $0.files["a"] = .waiting }
        test.advance(by: .seconds(1))
        test.change(from: other) { $0.files["b"] = .loaded }
        test.advance(by: .seconds(1))
        test.change(from: second) { $0.files["a"] = .loaded }
        test.finish()
    }

    @Test func `in each order, no more than the limit run at once, and the others are loaded`() async {
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let running = Ref((now: 0, most: 0))
            let server = FileServer(download: { _ in
                AsyncThrowingStream(unfolding: {
                    running.modify { running in
                        running.now += 1
                        running.most = max(running.most, running.now)
                    }
                    defer { running.modify { $0.now -= 1 } }
                    try await time.clock.sleep(for: .seconds(1))
                    return nil
                })
            })
            let component = Component(
                initialState: Downloads(), environment: server, executor: time.executor,
                dispatcher: downloads(atOnce: 2))
            for file in ["a", "b", "c", "d"] { component.send(.start(file)) }
            time.drain()
            component.send(.cancel("a"))
            time.advance(by: .seconds(9))
            #expect(running.get().most == 2)
            #expect(component.state.files == ["a": .cancelled, "b": .loaded, "c": .loaded, "d": .loaded])
        }
    }
}
