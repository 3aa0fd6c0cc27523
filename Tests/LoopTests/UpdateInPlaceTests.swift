import Loop
import Optics
import TestSupport
import Testing

/// A change of one element must not copy the array it is in.
///
/// Seen by the address of the array's elements after each event: a copy would have another one.
@Suite struct UpdateInPlaceTests {
    private struct Row: Identifiable {
        var id: Int
        var count = 0
    }

    private struct Table {
        var rows = (0..<100_000).map { Row(id: $0) }
    }

    private enum Event: AutoPrism { case row(id: Int, Int) }

    private static let counter = Update<Int, Int, String>(inPlace: { count, step in
        count += step
        return []
    })

    /// How many arrays there were while a loop of `update` had three events, and what became of the eighth row.
    private func arrays(of update: Update<Table, Event, String>) -> (count: Int, row: Int) {
        let addresses = Record<UInt>()
        let watched = Update.combine(
            update,
            Update(inPlace: { table, _ in
                addresses.append(table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                return []
            }))
        let loop = Mobius.loop(update: watched, effectHandler: EffectRouter<String, Event>()).start(from: Table())
        loop.addObserver { table in
            addresses.append(table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
        }
        for step in 1...3 { loop.dispatchEvent(.row(id: 7, step)) }
        return (Set(addresses.values).count, loop.latestModel.rows[7].count)
    }

    private let event = Event.prism(for: Event.row)
    private let step = Prism<Event, Int>(
        embed: { .row(id: 7, $0) }, extract: { if case .row(_, let step) = $0 { step } else { nil } })

    @Test func throughAnIndex() {
        let update = Self.counter.widen(model: Lens(\Table.rows).index(7).count, event: step)
        #expect(arrays(of: update) == (count: 1, row: 6))
    }

    @Test func throughSeveralWidenings() {
        let update = Self.counter.widen(model: \Row.count).widen(model: Affine<[Row], Row>.index(7))
            .widen(model: \Table.rows, event: step)
        #expect(arrays(of: update) == (count: 1, row: 6))
    }

    @Test func throughAnID() {
        let update = Self.counter.widen(model: \Row.count)
            .forEach(model: Lens(\Table.rows), event: event, effect: { _, effect in effect })
        #expect(arrays(of: update) == (count: 1, row: 6))
    }

    @Test func aLensMadeOfGetAndSetCopies() {
        let copying = Lens<Table, [Row]>(get: { $0.rows }, set: { Table(rows: $1) })
        let update = Self.counter.widen(model: copying.index(7).count, event: step)
        #expect(arrays(of: update).count > 1)
    }
}
