import FunctionalCore
import Optics
import PropertyTesting
import TestSupport
import Testing

/// Changes of the parts with effects.
@Suite("Traversing with effects", .timeLimit(.minutes(10)))
struct TraverseTests {
    private let each = Traversal<[Int], Int>.each
    private let record = Record<Int>()

    /// Multiplies a number by ten, and fails for a negative one.
    private var timesTen: @Sendable (Int) -> EnvIO<Int, Refusal, Int> {
        { [record] number in
            EnvIO { (factor: Int) throws(Refusal) in
                record.append(number)
                if number < 0 { throw Refusal() }
                return number * factor
            }
        }
    }

    @Test func theProgramsRunInOrderAndTheirValuesReplaceTheParts() async throws {
        let app = App(rows: [Row(tags: [1, 2]), Row(), Row(tags: [3])])
        let program = Optic.rows.each.tags.each.traverse(app, timesTen)

        #expect(record.values.isEmpty)
        #expect(try await program.run(10).rows.map(\.tags) == [[10, 20], [], [30]])
        #expect(record.values == [1, 2, 3])
        #expect(try program.runSync(100).rows.map(\.tags) == [[100, 200], [], [300]])
        #expect(app.rows.map(\.tags) == [[1, 2], [], [3]])
    }

    @Test func thePartsAreReadWhenTheProgramIsCreated() {
        let record = record
        let reading = Traversal<[Int], Int>(
            visit: { numbers, visit in
                record.append(numbers.count)
                _ = Fold<[Int], Int>.each.allSatisfy(numbers, visit)
            },
            modify: { numbers, change in for index in numbers.indices { change(&numbers[index]) } }
        )
        let program = reading.traverse([1, 2]) { EnvIO<Void, Never, Int>.pure($0 + 1) }
        #expect(record.values == [2])
        #expect(program.runSync() == [2, 3] && program.runSync() == [2, 3])
        #expect(record.values == [2])
    }

    @Test func theFirstFailureEndsTheProgram() async {
        let outcome = await each.traverse([1, -1, 2, -2], timesTen).outcome(10)
        #expect(outcome == .failure(Refusal()))
        #expect(record.values == [1, -1])
    }

    @Test func aCancelledProgramEndsTheTraversal() async {
        let timesTen = timesTen
        let outcome = await each.traverse([1, 2, 3]) { $0 == 2 ? .cancelled : timesTen($0) }.outcome(10)
        #expect(outcome == .cancelled)
        #expect(record.values == [1])
    }

    @Test func cancellingTheTaskEndsTheTraversal() async {
        let record = record
        let program = each.traverse([1, 2, 3]) { number in
            EnvIO<Void, Never, Int> { _ async in
                record.append(number)
                withUnsafeCurrentTask { task in if number == 2 { task?.cancel() } }
                return number
            }
        }
        let outcome = await Task { await program.outcome() }.value
        #expect(outcome == .cancelled)
        #expect(record.values == [1, 2])
    }

    @Test func anyOpticTraverses() throws {
        let (negated, timesTen) = (Optic.negated, timesTen)
        #expect(try Optic.count.traverse(App(count: 2), timesTen).runSync(10).count == 20)
        #expect(try Optic.loading.traverse(.loading(3), timesTen).runSync(10) == .loading(30))
        #expect(try Optic.user.some().appending(Lens(\.id)).traverse(App(), timesTen).runSync(10) == App())
        #expect(try Optic.user.some().id.traverse(App(user: Row(id: 4)), timesTen).runSync(10).user?.id == 40)
        #expect(try negated.traverse(-5, timesTen).runSync(10) == -50)
        #expect(record.values == [2, 3, 4, 5])
    }

    /// The first program ends after the second one, because it waits for it.
    @Test func programsThatRunAtOnceReplaceTheirOwnParts() async throws {
        let isSecondOver = Deferred<Void>()
        let program = each.parTraverse([1, 2]) { number in
            EnvIO<Int, Never, Int> { factor async in
                if number == 1 { try? await isSecondOver.value } else { isSecondOver.complete(()) }
                return number * factor
            }
        }
        #expect(try await program.run(10) == [10, 20])
    }

    @Test func aFailureEndsProgramsThatRunAtOnce() async {
        let outcome = await each.parTraverse([-1, 1, 2], limit: 1, timesTen).outcome(10)
        #expect(outcome == .failure(Refusal()))
        #expect(record.values == [-1])
    }

    @Test func programsThatDoNothingElseAreAnOrdinaryChange() async {
        let tags = Optic.rows.each.tags.each
        await forAll(App.gen) { app in
            let program = tags.traverse(app) { EnvIO<Void, Never, Int>.pure($0 * 2) }
            let atOnce = tags.parTraverse(app) { EnvIO<Void, Never, Int>.pure($0 * 2) }
            #expect(program.runSync() == tags.modifying(app) { $0 *= 2 })
            #expect(await atOnce.outcome() == .value(program.runSync()))
        }
    }

    @Test func noPartsMeanNoProgram() throws {
        #expect(try each.traverse([], timesTen).runSync(10) == [])
        #expect(try Optic.loading.traverse(.idle, timesTen).runSync(10) == .idle)
        #expect(record.values.isEmpty)
    }

    @Test func traversalsNest() async throws {
        let (each, timesTen) = (each, timesTen)
        let nested = Traversal<[[Int]], [Int]>.each
        #expect(
            try await nested.traverse([[1], [2, 3]]) { each.traverse($0, timesTen) }.run(10) == [[10], [20, 30]])
        #expect(record.values == [1, 2, 3])
    }

    @Test func aHundredThousandPartsNeedNoStack() async {
        let each = each
        let isDone = await onSmallStack {
            let numbers = Array(0..<100_000)
            let program = each.traverse(numbers) { EnvIO<Void, Never, Int>.pure($0 + 1) }
            return program.runSync() == numbers.map { $0 + 1 }
        }
        #expect(isDone)
    }

    @Test(.countsSteps) func stepsAreLinearInTheNumberOfParts() {
        let each = each
        let exponent = growth(from: 100, to: 1_600) { count in
            let numbers = Array(0..<count)
            return steps { _ = each.traverse(numbers) { EnvIO<Void, Never, Int>.pure($0 + 1) }.runSync() }
        }
        #expect(exponent < 1.2)
    }

    @Test func theWholeIsCopiedAtMostOnce() async {
        let parts = Traversal<Counted, Int>(
            visit: { whole, visit in for number in whole.numbers { guard visit(number) else { return } } },
            modify: { whole, change in for index in whole.numbers.indices { whole.change(index, change) } }
        )
        let whole = Counted(Array(0..<1_000))
        let program = parts.traverse(whole) { EnvIO<Void, Never, Int>.pure($0 + 1) }
        #expect(whole.copies == 0)
        let changed = program.runSync()
        #expect(changed.numbers == Array(1...1_000) && whole.copies == 1)
        let again = await parts.traverse(whole) { $0 + 2 }
        #expect(again.numbers == Array(2...1_001) && whole.copies == 2)
        #expect(whole.numbers == Array(0..<1_000))
    }

    @Test func anAsyncChangeReplacesThePartsInOrder() async throws {
        let app = App(rows: [Row(tags: [1, 2]), Row(tags: [3])])
        let record = record
        let changed = try await Optic.rows.each.tags.each.traverse(app) { tag in
            await Task.yield()
            try Task.checkCancellation()
            record.append(tag)
            return tag * 10
        }
        #expect(changed.rows.map(\.tags) == [[10, 20], [30]])
        #expect(app.rows.map(\.tags) == [[1, 2], [3]])
        #expect(record.values == [1, 2, 3])
        #expect(await Optic.user.some().name.traverse(app) { $0 + "!" } == app)
    }

    @Test func anAsyncChangeThatThrowsIsTheLastOne() async {
        var seen: [Int] = []
        await #expect(throws: Refusal()) {
            try await each.traverse([1, 2, 3]) { (number) async throws(Refusal) -> Int in
                seen.append(number)
                if number == 2 { throw Refusal() }
                return number
            }
        }
        #expect(seen == [1, 2])
    }

    @Test func anAsyncChangeMayObserveCancellation() async {
        let (each, record) = (each, record)
        let task = Task {
            try await each.traverse([1, 2, 3]) { number in
                try Task.checkCancellation()
                record.append(number)
                withUnsafeCurrentTask { task in if number == 2 { task?.cancel() } }
                return number
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(record.values == [1, 2])
    }

    /// Neither the whole nor the state that the closure captures is `Sendable`.
    @Test @MainActor func anAsyncChangeStaysInTheCallersIsolation() async {
        final class Part {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        var seen: [Int] = []
        let changed = await Traversal<[Part], Part>.each.traverse([Part(1), Part(2)]) { part in
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            seen.append(part.number)
            return Part(part.number + 10)
        }
        #expect(seen == [1, 2] && changed.map(\.number) == [11, 12])
    }

    @Test(.promptly) func anOpticThatUpdatesMorePartsThanItReadsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let broken = Traversal<[Int], Int>(
                visit: { _, _ in },
                modify: { numbers, change in for index in numbers.indices { change(&numbers[index]) } }
            )
            let program = broken.traverse([1, 2]) { EnvIO<Void, Never, Int>.pure($0) }
            print(program.runSync())
        }
        #expect(result?.standardErrorText.contains("read 0 parts, but its update visited 2.") == true)
    }

    @Test(.promptly) func anOpticThatUpdatesFewerPartsThanItReadsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let broken = Traversal<[Int], Int>(
                visit: { numbers, visit in for number in numbers { guard visit(number) else { return } } },
                modify: { numbers, change in for index in numbers.indices.dropLast() { change(&numbers[index]) } }
            )
            _ = await broken.traverse([1, 2, 3]) { $0 }
        }
        #expect(
            result?.standardErrorText.contains(
                """
                traverse of a Traversal<Array<Int>, Int> read 3 parts, but its update visited 2. \
                To fix, let the closures for visiting and modifying pass the same parts in the same order. \
                TraversalLaw in FunctionalLaws tests this.
                """) == true)
    }
}

/// An array that counts how often its storage is copied.
private struct Counted: Sendable {
    private final class Storage: @unchecked Sendable {
        // Unchecked: the test uses it from one task, and a shared storage is not changed.
        var numbers: [Int]
        init(_ numbers: [Int]) { self.numbers = numbers }
    }

    private let counter = Guarded(0)
    private var storage: Storage

    init(_ numbers: [Int]) { storage = Storage(numbers) }

    var numbers: [Int] { storage.numbers }
    var copies: Int { counter.value }

    mutating func change(_ index: Int, _ change: (inout Int) -> Void) {
        if !isKnownUniquelyReferenced(&storage) {
            counter.withLock { $0 += 1 }
            storage = Storage(storage.numbers)
        }
        change(&storage.numbers[index])
    }
}
