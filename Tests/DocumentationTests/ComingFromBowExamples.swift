// The expressions in the tables of the articles on Bow and BowOptics, so that they are compiled.

import Dispatch
import FunctionalCore
import Optics
import Synchronization
import Testing

@Suite("The articles on Bow and BowOptics", .timeLimit(.minutes(10)))
struct ComingFromBowExampleTests {
    struct Shop: Sendable { var name = "Tea and cake" }
    enum Refused: Error, Equatable { case once, logFailed }

    @Test func creatingPrograms() async throws {
        let invokeResult = EnvIO<Shop, Never, Result<Int, Refused>> { _ in .failure(.once) }
        let rethrown: EnvIO<Shop, Refused, Int> = invokeResult.rethrow()
        #expect(await rethrown.outcome(Shop()) == .failure(.once))
        let lifted: EnvIO<Shop, Refused, Int> = EnvIO<Void, Refused, Int>.pure(1).contramap { _ in () }
        #expect(try lifted.runSync(Shop()) == 1)
        #expect(try EnvIO<Void, Refused, Int>(.success(2)).runSync() == 2)
        let merged = EnvIO<Void, Never, Int> { _ in 1 }.zip(EnvIO { _ in 2 }, EnvIO { _ in 3 })
        #expect(merged.runSync() == (1, 2, 3))
    }

    @Test func environments() {
        let name = EnvIO<Shop, Never, String>.access { $0.name }
        let length = EnvIO<String, Never, Int> { $0.count }
        #expect(name.flatMap { value in length.provide(value) }.runSync(Shop()) == 12)
        #expect(name.provide(Shop()).runSync() == "Tea and cake")
        let asked = EnvIO<Shop, Never, Shop>.ask().map(\.name)
        #expect(asked.runSync(Shop(name: "Tea")) == "Tea")
    }

    @Test func failures() async {
        let refused = EnvIO<Void, Refused, Int>.fail(.once)
        let anyError = refused.mapError { $0 as any Error }
        #expect(await anyError.outcome().failure as? Refused == .once)
        let logged = Ref(0)
        @Sendable func log(_ error: Refused) -> EnvIO<Void, Refused, Void> {
            EnvIO { _ in logged.modify { $0 += 1 } }.followed(by: .fail(.logFailed))
        }
        let tapped = refused.handleErrorWith { error in
            log(error).orElse(.pure(())).followed(by: .fail(error))
        }
        #expect(await tapped.outcome() == .failure(.once))
        #expect(logged.get() == 1)
        let second = EnvIO<Void, Refused, Int>.pure(1)
        let folded = second.flatMap { _ in refused }.handleErrorWith { _ in .pure(2) }
        #expect(await folded.outcome() == .value(2))
        let result = await refused.attempt().outcome().value
        #expect(result == .failure(.once))
    }

    @Test func concurrency() async throws {
        let one = EnvIO<Void, Refused, Int>.pure(1)
        let sums = parallel(one, one).map { one, two in one + two }
        #expect(try await sums.run() == 2)
        #expect(try await [1, 2].parTraverse(limit: 2) { number in one.map { $0 + number } }.run() == [2, 3])
        #expect(try await [one, one].parSequence(limit: 1).run() == [1, 1])
        let winner = try await one.raceResult(EnvIO<Void, Refused, String>.never).run()
        #expect(winner == .left(1))
        #expect(try await one.on(DispatchQueue.global()).run() == 1)
    }

    @Test func resourcesAndSchedules() async throws {
        let released = Ref(0)
        let resource = Resource<Void, Refused, Int>(
            acquire: .pure(1), releaseCase: { _, outcome in EnvIO { _ in released.modify { $0 += 1 } } })
        #expect(try await resource.zip(.pure(2)).use { one, two in .pure(one + two) }.run() == 3)
        #expect(released.get() == 1)
        #expect(try await Resource(EnvIO<Void, Refused, Int>.pure(4)).use { .pure($0) }.run() == 4)

        let both: Schedule<Int> = .spaced(.seconds(1)) && .exponential(base: .milliseconds(500)) && .recurs(3)
        #expect(both.delays(for: [0, 0, 0, 0]) == [.seconds(1), .seconds(1), .seconds(2)])
        let either: Schedule<Int> = .recurs(1) || .fibonacci(.seconds(1)).upTo(.seconds(1))
        #expect(either.delays(for: [0, 0, 0, 0]).count == 2)
        #expect(Schedule<Int>.recurs(0).delays(for: [0]).isEmpty)
        #expect(Schedule<Int>.forever.whileInput { $0 < 2 }.delays(for: [1, 1, 2, 1]).count == 2)
    }

    @Test func references() {
        let ref = Ref(1)
        #expect(
            ref.modify { value in
                defer { value = 5 }
                return value
            } == 1)  // getAndSet
        let program = EnvIO<Void, Never, Int> { _ in
            ref.modify {
                $0 += 1
                return $0
            }
        }  // updateAndGet
        #expect(program.runSync() == 6)
    }

    @Test func states() {
        let counting = State<Int, Int> { state in
            state += 1
            return state
        }
        #expect(counting.eval(1) == 2)
        #expect(counting.exec(1) == 2)
        #expect(counting.run(1) == (2, 2))
        var state = 3
        #expect(State<Int, Void>.modify { $0 * 2 }.followed(by: .inspect { $0 + 1 }).run(&state) == 7)
        #expect(state == 6)
    }

    // MARK: - Optics

    struct Line: Equatable, Sendable { var price = 1, note: String? }
    struct Order: Equatable, Sendable {
        var lines = [Line()]
        var note: String?
        var stock: [String: Int] = [:]
    }

    @Test func optics() {
        let note = Lens(\Order.note)
        var order = Order()
        #expect(note.setting(order, "a").note == "a")
        #expect(!note.some().set(&order, "b"))
        #expect(note.some().modify(&order) { $0 += "b" } == nil)
        #expect(Lens(\Order.stock).at("tea").setting(order, 2).stock == ["tea": 2])
        Lens(\Order.stock).at("tea").set(&order, 2)
        Lens(\Order.stock).at("tea").set(&order, nil)
        #expect(order.stock.isEmpty)
        let prices = Lens(\Order.lines).each.price
        #expect(prices.getAll(order) == [1])
        #expect(prices.count(order) == 1)
        #expect(prices.contains(order) { $0 == 1 })
        #expect(prices.allSatisfy(order) { $0 == 1 })
        #expect(Lens(\Order.lines).index(3).extract(order) == nil)
        #expect(Lens(\(Int, String).0).get((1, "a")) == 1)
        let letters = Iso<String, [Character]>(get: Array.init, reverseGet: { String($0) })
        #expect(letters.reversed.get(["a", "b"]) == "ab")
    }

    @Test func statesOfParts() {
        let note = Lens(\Order.note)
        var order = Order(note: "a")
        #expect(State<String?, String?>.get().focus(note).run(order).0 == "a")
        #expect(State<String?, Bool>.inspect { $0 == nil }.focus(note).eval(order) == false)
        let old = State<String?, String?>.update { note in
            defer { note = "b" }
            return note
        }
        #expect(old.focus(note).run(&order) == "a")
        State<String?, Void>.set("c").focus(note).run(&order)
        #expect(order.note == "c")
        #expect(EnvIO<Order, Never, String?>.access { note.get($0) }.runSync(order) == "c")
    }
}
