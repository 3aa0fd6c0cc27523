import Loop
import TestSupport
import Testing

/// Programmer errors trap with a message that says how to fix them.
@Suite("Misuse of a loop", .timeLimit(.minutes(10)))
struct LoopMisuseTests {
    private static func disposedLoop() -> MobiusLoop<Int, String, Never> {
        let loop = Mobius.beginnerLoop { (model: Int, _: String) in model }.start(from: 0)
        loop.dispose()
        return loop
    }

    /// Dispatches to a loop whose update calls `body` with the loop.
    private static func update(_ body: @escaping @Sendable (TrailLoop?) -> Void) {
        let slot = LoopSlot(nil)
        let update = Update<[Int], Int, Int> { _, _ in
            body(slot.loop)
            return .noChange
        }
        slot.loop = Mobius.loop(update: update, effectHandler: ManualHandler()).start(from: [])
        slot.loop?.dispatchEvent(1)
    }

    private static let remedyAfterTheEnd =
        "To fix, do not use a loop after disposing it, or use a MobiusController, which can be stopped at any time."

    @Test("28. Dispatching to a disposed loop traps with the loop's type", .promptly)
    func dispatchingAfterTheEnd() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.disposedLoop().dispatchEvent("hello")
        }
        let message = result.standardErrorText
        #expect(message.contains("MobiusLoop<Int, String, Never> was sent the event hello after it was disposed."))
        #expect(message.contains(Self.remedyAfterTheEnd))
    }

    @Test("31. Observing a disposed loop traps with the loop's type", .promptly)
    func observingAfterTheEnd() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.disposedLoop().addObserver { _ in }
        }
        let message = result.standardErrorText
        #expect(message.contains("MobiusLoop<Int, String, Never> was observed after it was disposed."))
        #expect(message.contains(Self.remedyAfterTheEnd))
    }

    @Test("Requesting the models of a disposed loop traps with the loop's type", .promptly)
    func modelsAfterTheEnd() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Self.disposedLoop().models()
        }
        let message = result.standardErrorText
        #expect(message.contains("MobiusLoop<Int, String, Never> was observed after it was disposed."))
    }

    @Test("An event that an update dispatches to its loop is processed after the update")
    func dispatchingInside() {
        let slot = LoopSlot(nil)
        let update = Update<[Int], Int, Int> { model, event in
            if event == 1 { slot.loop?.dispatchEvent(2) }
            return .next(model + [event])
        }
        slot.loop = Mobius.loop(update: update, effectHandler: ManualHandler()).start(from: [])
        slot.loop?.dispatchEvent(1)
        #expect(slot.loop?.latestModel == [1, 2])
        slot.loop = nil
    }

    @Test("An update that reads its loop's model traps", .promptly)
    func readingInside() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.update { _ = $0?.latestModel }
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                """
                MobiusLoop<Array<Int>, Int, Int> was asked for its model in its own update function. \
                To fix, use the model that the update function is given
                """))
    }

    @Test("An update that observes its loop traps", .promptly)
    func observingInside() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.update { $0?.addObserver { _ in } }
        }
        let message = result.standardErrorText
        #expect(message.contains("MobiusLoop<Array<Int>, Int, Int> was observed in its own update function. To fix, "))
    }
}
