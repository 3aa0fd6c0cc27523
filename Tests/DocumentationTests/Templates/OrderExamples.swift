// The section on orders of concurrent code, on the page on PropertyTesting.

import Dispatcher
import Foundation
import FunctionalCore
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

@Suite("The section on orders of concurrent code", .timeLimit(.minutes(10)))
struct OrderExampleTests {
    struct Library: Sendable { var books: @Sendable (String) async throws -> [String] }

    //@block PropertyTesting/PropertyTesting struct Search

    //@block PropertyTesting/PropertyTesting @Test func threeAnswersArriveInEachOrder()

    /// Returns the state of the component on the page without its policy.
    private func searchWithoutPolicy(_ texts: [String], _ order: StepOrder) -> Search {
        let time = VirtualScheduler(order: order)
        let library = Library { text in
            try await time.clock.sleep(for: .seconds(1))
            return ["About \(text)"]
        }
        let component = Component(
            initialState: Search(), environment: library, executor: time.executor, dispatcher: search)
        for text in texts { component.send(text) }
        time.advance(by: .seconds(1))
        return component.state
    }

    /// The page quotes the counterexample.
    @Test(arguments: 0..<5 as Range<UInt64>)
    func withoutThePolicyAnOrderFails(_ seed: UInt64) async throws {
        let found = try #require(
            await falsify(Gen.order(), settings: .init(seed: seed)) { order in
                let state = searchWithoutPolicy(["owl", "owls"], order)
                try require(state.books == ["About owls"], "\(state)")
            })
        let line = try #require(found.details.split(separator: "\n").first)
        let page = try PackageFolder.text(of: "Sources/PropertyTesting/Documentation.docc/PropertyTesting.md")
        #expect(page.contains("```\n\(line)\n```"), "\(line)")
        #expect(searchWithoutPolicy(["owl", "owls"], StepOrder()).books == ["About owls"])
    }

    /// Three inputs whose answers race.
    @Test func answersArriveInAllOrders() async {
        let arriving = StateDispatcher<Library, [String], String>.workflow { text in
            [
                EnvIO { library in
                    let books = try await library.books(text)
                    return .update { $0 += books }
                }
            ]
        }
        var arrivals: Set<[String]> = []
        await forAllOrders { order in
            let time = VirtualScheduler(order: order)
            let library = Library { text in
                try await time.clock.sleep(for: .seconds(1))
                return [text]
            }
            let component = Component(
                initialState: [], environment: library, executor: time.executor, dispatcher: arriving)
            for text in ["owl", "elk", "bee"] { component.send(text) }
            time.advance(by: .seconds(1))
            arrivals.insert(component.state)
        }
        #expect(arrivals.count == 6)
    }
}
