import Loop
import Optics
import TestSupport
import Testing

/// An update of one element must not copy the array that contains it.
///
/// The tests compare the address of the array's elements after each event, which a copy would change.
@Suite(.timeLimit(.minutes(10))) struct UpdateInPlaceTests {
    private struct Row: Identifiable {
        var id: Int
        var count = 0
    }

    private struct Table: CustomStringConvertible {
        var rows = (0..<100_000).map { Row(id: $0) }

        // Keeps a logger from writing every row.
        var description: String { "\(rows.count) rows" }
    }

    private enum Event: AutoPrism { case row(id: Int, Int) }

    private static let counter = Update<Int, Int, String>(inPlace: { count, step in
        count += step
        return []
    })

    /// Sends three events to a loop of `update`. Returns the number of distinct arrays, and the eighth row's count.
    private func arrays(
        of update: Update<Table, Event, String>, logger: (any MobiusLogger<Table, Event, String>)? = nil
    ) -> (count: Int, row: Int) {
        let addresses = Record<UInt>()
        let watched = Update.combine(
            update,
            Update(inPlace: { table, _ in
                addresses.append(table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
                return []
            }))
        var builder = Mobius.loop(update: watched, effectHandler: EffectRouter<String, Event>())
        if let logger { builder = builder.withLogger(logger) }
        let loop = builder.start(from: Table())
        loop.addObserver { table in
            addresses.append(table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
        }
        for step in 1...3 { loop.dispatchEvent(.row(id: 7, step)) }
        return (Set(addresses.values).count, loop.latestModel.rows[7].count)
    }

    private let event = Event.prism(for: Event.row)
    private let step = Prism<Event, Int>(
        embed: { .row(id: 7, $0) }, extract: { if case .row(_, let step) = $0 { step } else { nil } })
    private var inPlace: Update<Table, Event, String> {
        Self.counter.widen(model: Lens(\Table.rows).index(7).count, event: step, effect: { $0 })
    }

    @Test func anUpdateThroughAnIndexSeveralWideningsOrAnIDIsMadeInPlace() {
        let row = Self.counter.widen(model: \Row.count, event: Prism.identity)
        let index = row.widen(model: Affine<[Row], Row>.index(7), event: Prism.identity, effect: { $0 })
            .widen(model: \Table.rows, event: step)
        let id = row.forEach(model: \Table.rows, event: event, effect: { _, effect in effect })
        for update in [inPlace, index, id] { #expect(arrays(of: update) == (count: 1, row: 6)) }
    }

    @Test func aLensMadeOfGetAndSetCopies() {
        let copying = Lens<Table, [Row]>(get: { $0.rows }, set: { Table(rows: $1) })
        let update = Self.counter.widen(model: copying.index(7).count, event: step, effect: { $0 })
        #expect(arrays(of: update).count > 1)
    }

    // MARK: - Without a loop

    private func address(of table: Table) -> UInt {
        table.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }

    @Test("apply(_:to:) changes a large model in place, through optics and combinations, and returns the effects")
    func applying() {
        let counting = Self.counter.forEach(
            model: Lens(\Table.rows), element: { (id: Int) in Affine<[Row], Row>.index(id).count }, event: event,
            effect: { _, effect in effect })
        let noting = Update<Table, Event, String> { _, event in .dispatchEffects(["noted"]) }
        for update in [inPlace, counting, .combine(inPlace, noting)] {
            var table = Table()
            let before = address(of: table)
            var effects: [String] = []
            for step in 1...3 { effects += update.apply(.row(id: 7, step), to: &table) }
            #expect(address(of: table) == before)
            #expect(table.rows[7].count == 6)
            #expect(effects.allSatisfy { $0 == "noted" })
            // `update(model:event:)` copies.
            #expect(update(table, .row(id: 7, 1)).model.map { address(of: $0) } != before)
        }
    }

    @Test("apply(_:to:) stores the model that a function returns, and keeps the model if there is no new one")
    func applyingAFunction() {
        let update = Update<Int, Int, String> { model, event in
            event == 0 ? .dispatchEffects(["none"]) : .next(model + event, effects: ["added"])
        }
        var model = 1
        #expect(update.apply(2, to: &model) == ["added"])
        #expect(model == 3)
        #expect(update.apply(0, to: &model) == ["none"])
        #expect(model == 3)
    }

    // MARK: - Loggers

    /// A logger that logs nothing.
    private struct Silent<Model, Event, Effect>: MobiusLogger {
        var usesPreviousModel: Bool { false }
    }

    /// Reads the model before and after an update, and keeps neither.
    private struct Reading: MobiusLogger {
        let lines: Log

        func willUpdate(model: Table, event: Event) { lines.append("before: \(model.rows[7].count)") }

        func didUpdate(event: Event, next: Next<Table, String>) {
            lines.append("after: \(next.model?.rows[7].count ?? -1)")
        }

        var usesPreviousModel: Bool { false }
    }

    /// Reads the previous model after an update.
    private struct Comparing: MobiusLogger {
        let lines: Log

        func didUpdate(model: Table, event: Event, next: Next<Table, String>) {
            lines.append("\(model.rows[7].count) to \(next.model?.rows[7].count ?? -1)")
        }
    }

    @Test("A logger that does not use the previous model causes no copy of the model")
    func loggersDoNotCopy() {
        let lines = Log()
        let loggers: [any MobiusLogger<Table, Event, String>] = [
            Silent(), SimpleLogger(tag: "") { _ in }, Reading(lines: lines), AnyMobiusLogger(Silent()),
            AnyMobiusLogger(all: [Silent(), AnyMobiusLogger(SimpleLogger(tag: "") { _ in })]),
        ]
        for logger in loggers {
            #expect(!logger.usesPreviousModel)
            #expect(arrays(of: inPlace, logger: logger) == (count: 1, row: 6), "\(logger)")
        }
        #expect(lines.lines == ["before: 0", "after: 1", "before: 1", "after: 3", "before: 3", "after: 6"])
    }

    @Test("A logger that uses the previous model is given it, which copies the model")
    func comparingLoggersCopy() {
        let (lines, others) = (Log(), Log())
        let logger = AnyMobiusLogger<Table, Event, String>(all: [
            AnyMobiusLogger(Comparing(lines: lines)), SimpleLogger(tag: "simple") { _ in others.append("") },
        ])
        #expect(logger.usesPreviousModel)
        #expect(arrays(of: inPlace, logger: logger).count > 1)
        #expect(lines.lines == ["0 to 1", "1 to 3", "3 to 6"])
        // Three events, three models.
        #expect(others.lines.count == 6)
    }
}
