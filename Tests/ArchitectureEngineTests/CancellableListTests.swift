import ArchitectureEngine
import TestSupport
import Testing

@Suite("Cancellable list", .timeLimit(.minutes(10)))
struct CancellableListTests {
    private struct Entry: CancellableEntry {
        let cancellation = Cancellation()
        let number: Int
        var tracked: Tracked?
    }

    private func numbers(_ list: CancellableList<Entry>) -> [Int] {
        list.entries.compactMap { $0?.number }
    }

    @Test("The remaining entries keep their order when others are removed")
    func order() {
        var generator = SeededGenerator(seed: 7)
        for count in [1, 2, 17, 40, 200] {
            var list = CancellableList<Entry>()
            var kept = (0..<count).map { Entry(number: $0) }
            for entry in kept { list.append(entry) }
            var hasGrown = false
            while let index = kept.indices.randomElement(using: &generator) {
                let entry = kept.remove(at: index)
                #expect(list.remove(entry.cancellation)?.number == entry.number)
                #expect(list.remove(entry.cancellation) == nil)
                #expect(numbers(list) == kept.map(\.number))
                #expect(list.count == kept.count)
                if kept.count == count / 2, !hasGrown {
                    hasGrown = true
                    let entry = Entry(number: count)
                    list.append(entry)
                    kept.append(entry)
                }
            }
            #expect(list.isEmpty)
        }
    }

    @Test("Removing cancelled entries keeps the others")
    func removingCancelled() {
        var list = CancellableList<Entry>()
        let entries = (0..<10).map { Entry(number: $0) }
        for entry in entries { list.append(entry) }
        for entry in entries where entry.number % 3 == 0 { entry.cancellation.cancel() }
        _ = list.removeCancelled()
        #expect(numbers(list) == [1, 2, 4, 5, 7, 8])
        #expect(list.count == 6)
        #expect(list.remove(entries[5].cancellation)?.number == 5)
        #expect(numbers(list) == [1, 2, 4, 7, 8])
    }

    @Test("hasAny is true only while an entry is not cancelled")
    func cancelledEntries() {
        var list = CancellableList<Entry>()
        #expect(!list.hasAny)
        let entries = (0..<2).map { Entry(number: $0) }
        for entry in entries { list.append(entry) }
        entries[0].cancellation.cancel()
        #expect(list.hasAny)
        entries[1].cancellation.cancel()
        #expect(!list.hasAny)
    }

    @Test("Removed entries are released at once, and their gaps do not accumulate")
    func memory() {
        let counter = Tracked.Counter()
        var list = CancellableList<Entry>()
        let kept = Entry(number: -1)
        list.append(kept)
        for number in 0..<10_000 {
            let entry = Entry(number: number, tracked: Tracked(counter))
            list.append(entry)
            #expect(counter.count == 1)
            _ = list.remove(entry.cancellation)
        }
        #expect(counter.count == 0)
        #expect(list.entries.count < 64)
    }
}
