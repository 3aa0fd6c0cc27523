// The code of the page that compares operators, of the sections on fibers and memoized programs, and of the comments of
// these operators.

import FunctionalCore
import TestSupport
import Testing
import VirtualTime

private struct Shop: Sendable {
    let log = Log()

    func write(_ line: String) -> Int {
        log.append(line)
        return log.lines.count
    }
}

private typealias Program<Value> = EnvIO<Shop, any Error, Value>

@Suite("The operators of programs", .timeLimit(.minutes(10)))
struct OperatorExampleTests {
    private let loadPrices = Program<[Int]> { shop in
        _ = shop.write("load prices")
        return [1, 3]
    }
    private let heartbeat = Program<Int> { shop in shop.write("beat") }

    private func step(_ name: String) -> Program<String> {
        Program { shop in
            _ = shop.write(name)
            return name
        }
    }

    @Test func thePage() async throws {
        let sum: @Sendable (Program<[Int]>) -> Program<Int> = { $0.map { $0.reduce(0, +) } }
        let average: @Sendable (Program<[Int]>) -> Program<Int> = { $0.map { $0.reduce(0, +) / $0.count } }

        //@block FunctionalCore/OperatorsCompared let report

        let shop = Shop()
        #expect(try await program.run(shop) == "Sum 4, average 2")
        // The heart beats if the run takes five seconds.
        #expect(shop.log.lines.filter { $0 != "beat" } == ["load prices"])
    }

    @Test func fibersAndMemoizedPrograms() async throws {
        let (loadUser, loadPosts, conversation) = (step("user"), step("posts"), step("hello"))
        @Sendable func sum(of prices: Program<[Int]>) -> Program<Int> { prices.map { $0.reduce(0, +) } }
        @Sendable func average(of prices: Program<[Int]>) -> Program<Int> { sum(of: prices).map { $0 / 2 } }
        let heartbeat = heartbeat.delay(for: .seconds(60))

        //@block FunctionalCore/RunningAtOnce let both

        //@block FunctionalCore/RunningAtOnce let answer

        //@block FunctionalCore/RunningAtOnce let total

        #expect(try await both.run(Shop()) == ("posts", "user"))
        #expect(try await answer.run(Shop()) == "hello")
        let shop = Shop()
        #expect(try await total.run(shop) == (4, 2))
        #expect(shop.log.lines == ["load prices"])
        let polling = heartbeat.delay(for: .seconds(5)).forever()
        let page = polling.background().use { _ in conversation }
        #expect(try await page.race(heartbeat.forever().setValueType()).run(Shop()) == "hello")
    }

    @Test func valuesAndFailures() throws {
        struct FormError: Error, Equatable { let text: String }
        let (shop, price) = (Shop(), EnvIO<Shop, any Error, Int>.pure(3))
        let total = price.tap { price in print("The price is \(price).") }.map { $0 * 2 }
        let order = step("buy").flatTap { order in step("save \(order)") }  // succeeds with the order
        let buying = step("buy").flatTap { order in step("notify").when(order.isEmpty) }
        let download = Program<String>.fail(FormError(text: "offline"))
        let page = download.tapError { error in print("The download failed: \(error)") }.retry(.recurs(3))
        let title = page.map { page in "\(page.count)" }.handleError { error in "Not available: \(error)" }
        let age = page.bimap({ error in FormError(text: "\(type(of: error))") }, { text in text.count })
        #expect(try total.runSync(shop) == 6)
        #expect(try order.followed(by: buying).runSync(shop) == "buy")
        #expect(try page.orElse(step("origin")).runSync(shop) == "origin")
        #expect(try title.runSync(shop).hasPrefix("Not available"))
        #expect(throws: FormError(text: "FormError")) { try age.runSync(shop) }
        #expect(shop.log.lines == ["buy", "save buy", "buy", "origin"])
        let timed = price.timed().tap { print("Loaded in \($0.duration).") }.map { $0.value }
        #expect(try timed.runSync(shop) == 3)
    }
}
