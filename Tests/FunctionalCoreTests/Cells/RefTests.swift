import Foundation
import FunctionalCore
import TestSupport
import Testing

private struct Flaw: Error {}

/// Increments the cell, and yields between the read and the write so that other threads can interleave.
private func next(_ cell: Ref<Int>) -> Int {
    cell.modify { value in
        let before = value
        sched_yield()
        value = before + 1
        return value
    }
}

@Suite("Ref", .timeLimit(.minutes(10)))
struct RefTests {
    @Test func storesTheValueThatIsSet() {
        let cell = Ref(1)
        #expect(cell.get() == 1)
        cell.set(2)
        #expect(cell.get() == 2)
        cell.modify { $0 += 1 }
        let before = cell.modify { value in
            defer { value *= 10 }
            return value
        }
        #expect(before == 3)
        #expect(cell.get() == 30)
    }

    @Test func concurrentChangesAreAllApplied() {
        let cell = Ref(0)
        let seen = Ref([Int]())
        onThreads(8) { _ in
            var own: [Int] = []
            for _ in 0..<500 { own.append(next(cell)) }
            seen.modify { $0 += own }
        }
        #expect(cell.get() == 4_000)
        #expect(seen.get().sorted() == Array(1...4_000))
    }

    @Test func changesInPlace() {
        let cell = Ref(Array(repeating: 0, count: 1_000))
        let address = cell.modify { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        for index in 0..<1_000 { cell.modify { $0[index] += 1 } }
        #expect(cell.modify { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } } == address)
    }

    @Test func keepsChangesMadeBeforeAThrow() {
        let cell = Ref(0)
        #expect(throws: Flaw.self) {
            try cell.modify { value throws(Flaw) in
                value = 7
                throw Flaw()
            }
        }
        #expect(cell.get() == 7)
        cell.set(8)
        #expect(cell.get() == 8)
    }

    @Test func aReplacedValueMayReadTheRefFromItsDeinitializer() {
        let cell = Ref<Witness?>(nil)
        let log = Log()
        cell.set(Witness { log.append(cell.get() == nil ? "gone" : "there") })
        cell.set(nil)
        #expect(log.lines == ["gone"])
    }

    @Test(.promptly) func reentrantAccessTraps() async throws {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cell = Ref(1)
            cell.modify { $0 += cell.get() }
        }?.expectError("Ref<Int> was accessed while the same thread was modifying it. To fix, use")
    }

    @Test func anotherRefMayBeReadDuringAChange() {
        let (one, other) = (Ref(1), Ref(2))
        one.modify { $0 += other.get() }
        #expect(one.get() == 3)
    }
}
