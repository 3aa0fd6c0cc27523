import Loop
import TestSupport
import Testing

/// The documentation of `Mobius` explains why no hook replaces the messages.
@Suite(.timeLimit(.minutes(10))) struct MistakeTests {
    @Test("117. A programmer error traps with a message that names type, value and fix", .promptly)
    func message() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = Mobius.beginnerLoop { (count: Int, step: Int) in count + step }.start(from: 0)
            loop.dispose()
            loop.dispatchEvent(7)
        }
        let message = result.standardErrorText
        #expect(
            message.contains(
                "MobiusLoop<Int, Int, Never> was sent the event 7 after it was disposed. To fix, do not use a loop"
            ))
    }
}
