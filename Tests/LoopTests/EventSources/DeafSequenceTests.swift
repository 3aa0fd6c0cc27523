import FunctionalCore
import Loop
import TestSupport
import Testing

/// Sequences that do not respond to task cancellation are not iterated further when their loop is disposed.
@Suite(.timeLimit(.minutes(10))) struct DeafSequenceTests {
    /// An endless sequence that ignores cancellation. `gone` opens when its iterator is deallocated.
    private struct Deaf: AsyncSequence, Sendable {
        let gone: Gate

        struct AsyncIterator: AsyncIteratorProtocol {
            let end: Witness

            func next() async -> Int? {
                await Task.yield()
                return 1
            }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(end: Witness { [gone] in Task { await gone.open() } })
        }
    }

    private let adding = Update<Int, Int, Int> { model, event in
        .next(model + event, effects: event == 0 ? [0] : [])
    }

    @Test func disposingEndsAnEventSourceThatIgnoresCancellation() async {
        let gone = Gate()
        let loop = Mobius.loop(update: adding, effectHandler: EffectRouter<Int, Int>())
            .withEventSource { Deaf(gone: gone) }
            .start(from: 0)
        for await model in loop.models() where model >= 3 { break }
        loop.dispose()
        await gone.pass()
    }

    @Test func disposingEndsAnEffectWhoseSequenceIgnoresCancellation() async {
        let (gone, began) = (Gate(), Gate())
        let router = EffectRouter<Int, Int>().routeEffects(equalTo: 0).toHandling { _ in .toEvents { Deaf(gone: gone) }
        }
        let loop = Mobius.loop(update: adding, effectHandler: router).start(from: 0)
        loop.addObserver { model in if model == 3 { Task { await began.open() } } }
        loop.dispatchEvent(0)
        await began.pass()
        loop.dispose()
        await gone.pass()
    }
}
