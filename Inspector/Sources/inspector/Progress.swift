import Foundation

/// Shows on a terminal how far a step is that takes longer than a second.
final class Progress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var shown = ""

    func show(_ step: String, _ part: Double) {
        let text = "\(step) \(Int(part * 100)) %"
        guard isTerminal, text != shown, start.duration(to: .now) >= .seconds(1) else { return }
        write("\r\(text)\u{1B}[K")
        shown = text
    }

    /// Removes what was shown.
    func clear() {
        if !shown.isEmpty { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
