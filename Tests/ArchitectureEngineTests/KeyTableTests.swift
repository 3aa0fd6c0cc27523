import ArchitectureEngine
import PropertyTesting
import TestSupport
import Testing

@Suite("Key table", .timeLimit(.minutes(10)))
struct KeyTableTests {
    private typealias Table = KeyTable<ActiveKey, Int>

    @Test("A table has the values of a dictionary, also for keys of equal hash value")
    func model() async {
        let changes = Gen.zip(Gen.int(in: 0...29), Gen.int(in: 0...3)).array(0...60)
        await forAll(changes) { changes in
            let table = Table()
            var model: [Int: Int] = [:]
            for (id, value) in changes {
                let old = table.update(ActiveKey(id)) { current in
                    defer { current = value == 0 ? nil : value }
                    return current
                }
                #expect(old == model[id])
                model[id] = value == 0 ? nil : value
                #expect(table.count == model.count)
            }
            for id in 0...29 { #expect(table.update(ActiveKey(id)) { $0 } == model[id]) }
            #expect(table.removeAll().sorted() == model.values.sorted())
            #expect(table.count == 0)
            for id in 0...29 { #expect(table.update(ActiveKey(id)) { $0 } == nil) }
        }
    }

    @Test("Values that are not needed are removed whenever the number of values has doubled")
    func unneeded() {
        let table = Table()
        func insert(_ ids: Range<Int>) {
            let isOdd = { $0 % 2 == 1 }
            for id in ids { table.update(ActiveKey(id), removing: isOdd) { $0 = id } }
        }
        insert(0..<16)
        #expect(table.count == 16)
        insert(16..<17)
        #expect(table.count == 9)
        insert(17..<24)
        #expect(table.count == 16)
        insert(24..<25)
        #expect(table.removeAll().sorted() == Array(stride(from: 0, to: 25, by: 2)))
    }

    @Test("A key may use the table while it is hashed, compared and released", arguments: ActiveKey.Use.allCases)
    func reentrancy(use: ActiveKey.Use) {
        let table = Table()
        func add(_ number: Int, to key: ActiveKey) { table.update(key) { $0 = ($0 ?? 0) + number } }
        // The table retains this key, and releases it when it is removed.
        add(1, to: ActiveKey(1, onFirst: use) { for id in [1, 2, 30] { table.update(ActiveKey(id)) { $0 = 10 } } })
        add(1, to: ActiveKey(1))
        #expect(table.update(ActiveKey(1)) { $0.take() } == (use == .release ? 2 : use == .hash ? 12 : 11))
        // What the key has done while it was released came after the removal.
        #expect(table.removeAll() == (use == .release ? [10, 10, 10] : [10, 10]))
    }

    @Test("A key that is inserted while another one is compared is inserted once")
    func insertedMeanwhile() {
        let table = Table()
        table.update(ActiveKey(1)) { $0 = 1 }
        let key = ActiveKey(2, onFirst: .compare) { table.update(ActiveKey(2)) { $0 = 2 } }
        #expect(table.update(key) { $0 } == 2)
        #expect(table.count == 2)
    }

    @Test("A key that is removed while it is compared is not found", arguments: [false, true])
    func removedMeanwhile(withAll: Bool) {
        let table = Table()
        for id in [1, 2] { table.update(ActiveKey(id)) { $0 = id } }
        let key = ActiveKey(2, onFirst: .compare) {
            if withAll { _ = table.removeAll() } else { table.update(ActiveKey(2)) { $0 = nil } }
        }
        #expect(table.update(key) { $0 } == nil)
        #expect(table.update(ActiveKey(1)) { $0 } == (withAll ? nil : 1))
        #expect(table.count == (withAll ? 0 : 1))
    }

    @Test("Threads that insert and remove equal keys lose no change")
    func threads() {
        let table = Table()
        let removed = Guarded(0)
        onThreads(8) { thread in
            for number in 0..<2_000 {
                let key = ActiveKey((number &* 7 &+ thread) % 24)
                if number % 16 == 0 {
                    let value = table.update(key) { $0.take() }
                    removed.withLock { $0 += value ?? 0 }
                } else {
                    table.update(key) { $0 = ($0 ?? 0) + 1 }
                }
            }
        }
        #expect(removed.value + table.removeAll().reduce(0, +) == 8 * 1_875)
    }
}
