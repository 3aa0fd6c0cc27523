import Loop
import Testing

// No other import of this package: the tests fail to compile if the front door does not suffice.

private enum CounterEvent: AutoPrism, Sendable {
    case add(Int)
    case saved
}

private enum CounterEffect: AutoPrism, Sendable {
    case save(Int)
}

@Suite("One import of a loop", .timeLimit(.minutes(10)))
struct LoopImportTests {
    @Test("A file that imports only Loop widens updates with the prisms of cases, and with lenses")
    func widening() {
        let count = Update<Int, Int, Int> { count, number in .next(count + number, effects: [number]) }
        let number: Lens<[Int], Int> = Lens(get: { $0[0] }, set: { [$1] + $0.dropFirst() })
        let add: Prism<CounterEvent, Int> = CounterEvent.prism(for: CounterEvent.add)

        let update = count.widen(model: number, event: add, effect: CounterEffect.save)

        #expect(update([1], .add(2)).model == [3])
        #expect(update([1], .saved).model == nil)
    }
}
