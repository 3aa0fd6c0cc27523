import Loop
import TestSupport
import Testing

/// Programmer errors trap with a message that says how to fix them.
@Suite("Misuse of a loop", .timeLimit(.minutes(10)))
struct LoopMisuseTests {
    /// Each mistake with what the message says of the loop.
    enum Mistake: String, CaseIterable, Codable {
        case dispatchingAfterTheEnd = "was sent the event 7 after it was disposed. To fix, do not use a loop"
        case observingAfterTheEnd = """
            was observed after it was disposed. To fix, do not use a loop after disposing it, or use a MobiusController, \
            which can be stopped at any time.
            """
        case requestingModelsAfterTheEnd = "was observed after it was disposed."
        case readingInUpdate =
            "was asked for its model in its own update function. To fix, use the model that the update function is given"
        case observingInUpdate = "was observed in its own update function. To fix, "

        func make() {
            let slot = LoopSlot(nil)
            let update = Update<[Int], Int, Int> { _, _ in
                if self == .readingInUpdate { _ = slot.loop?.latestModel } else { slot.loop?.addObserver { _ in } }
                return .noChange
            }
            let loop = Mobius.loop(update: update, effectHandler: ManualHandler()).start(from: [])
            slot.loop = loop
            if self != .readingInUpdate, self != .observingInUpdate { loop.dispose() }
            switch self {
            case .dispatchingAfterTheEnd, .readingInUpdate, .observingInUpdate: loop.dispatchEvent(7)
            case .observingAfterTheEnd: loop.addObserver { _ in }
            case .requestingModelsAfterTheEnd: _ = loop.models()
            }
        }
    }

    /// The documentation of `Mobius` explains why no hook replaces the messages.
    @Test(
        "28, 31, 117. Wrong uses of a loop trap with a message that names type, value and fix", .promptly,
        arguments: Mistake.allCases) func trap(_ mistake: Mistake) async throws
    {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            mistake.make()
        }
        #expect(result.standardErrorText.contains("MobiusLoop<Array<Int>, Int, Int> \(mistake.rawValue)"))
    }
}
