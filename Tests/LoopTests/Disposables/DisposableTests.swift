import FunctionalCore
import Loop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DisposableTests {
    /// A disposable that calls its closure at each disposal.
    private struct Counting: Disposable {
        let onDispose: @Sendable () -> Void

        func dispose() { onDispose() }
    }

    @Test("110. An anonymous disposable calls its closure once, even if many threads dispose it, and then releases it")
    func anonymousOnce() {
        let calls = Record<Void>()
        weak var resource: Witness?
        let disposable: AnonymousDisposable
        do {
            let held = Witness()
            resource = held
            disposable = AnonymousDisposable { [held] in withExtendedLifetime(held) { calls.append(()) } }
        }
        #expect(resource != nil)
        #expect(calls.values.isEmpty)
        onThreads(8) { _ in disposable.dispose() }
        #expect(calls.values.count == 1)
        #expect(resource == nil)
    }

    @Test("110. As in Mobius, an anonymous disposable may wrap a disposer closure or a disposable")
    func anonymousAsInMobius() {
        let calls = Record<String>()
        let disposables = [
            AnonymousDisposable(disposer: { calls.append("closure") }),
            AnonymousDisposable(Counting { calls.append("base") }),
        ]
        for _ in 0..<2 { for disposable in disposables { disposable.dispose() } }
        #expect(calls.values == ["closure", "base"])
    }

    @Test("110. A closure may dispose its own disposable")
    func anonymousFromInside() {
        let calls = Record<Void>()
        let link = Record<AnonymousDisposable>()
        let disposable = AnonymousDisposable {
            calls.append(())
            link.values.first?.dispose()
        }
        link.append(disposable)
        disposable.dispose()
        #expect(calls.values.count == 1)
        link.removeAll()
    }

    @Test("110. A composite disposes only its initial parts, in order, and once, even if many threads dispose it")
    func composite() {
        let calls = Record<Int>()
        var parts = (0..<3).map { number in Counting { calls.append(number) } }
        let composite = CompositeDisposable(disposables: parts)
        parts.append(Counting { calls.append(3) })
        parts.remove(at: 0)
        onThreads(8) { _ in composite.dispose() }
        #expect(calls.values == [0, 1, 2])
    }

    @Test("111. A task's disposable cancels the task")
    func task() async {
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return Task.isCancelled
        }
        task.asDisposable.dispose()
        await gate.open()
        #expect(await task.value)
    }

    @Test func aRegistrationIsADisposable() {
        let calls = Record<Void>()
        let disposable: any Disposable = Registration { calls.append(()) }
        disposable.dispose()
        disposable.dispose()
        #expect(calls.values.count == 1)
    }
}
