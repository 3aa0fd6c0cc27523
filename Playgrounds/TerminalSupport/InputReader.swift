import Dispatch

/// A reader of inputs from a person or a pipe.
///
/// Must be used by one thread at a time.
public protocol InputReader: AnyObject {
    /// Returns the next input, or `nil` at the end of the input. Blocks the calling thread until then.
    func next() -> String?
}

extension InputReader {
    /// Returns the next input, and shows a hint to a person while it waits.
    public func next(hint: String, on console: Console) -> String? {
        console.hint(hint)
        return next()
    }
}

extension Console {
    /// Returns a reader of single keys on a terminal and of lines otherwise. For programs with commands of one
    /// character.
    public func keysOrLines() -> any InputReader {
        if isInteractive, let keys = KeyReader(self) { return keys }
        return LineReader(self)
    }

    /// Returns a reader of lines, from a terminal or a pipe.
    public func lines() -> any InputReader {
        LineReader(self)
    }

    /// Returns the inputs of a reader as an asynchronous sequence. Each input is read on demand, on a separate queue.
    ///
    /// A waiting read cannot be interrupted, so the cancellation of the consuming task takes effect after the next
    /// input. The prompt is shown before each line. Lines that the program writes meanwhile appear above it.
    ///
    /// ```swift
    /// for await line in console.inputs({ $0.lines() }) { … }
    /// ```
    public func inputs(
        prompt: String? = nil, _ reader: @escaping @Sendable (Console) -> any InputReader
    ) -> AsyncStream<String> {
        let source = QueuedReader(console: self, prompt: prompt, make: reader)
        return AsyncStream { await source.next() }
    }
}

/// A reader that is used on one serial queue.
///
/// `@unchecked Sendable`: `reader` is created and used only on `queue`. Other uses would race.
private final class QueuedReader: @unchecked Sendable {
    private let queue = DispatchQueue(label: "input")
    private let make: @Sendable (Console) -> any InputReader
    private let console: Console
    private let prompt: String?
    private lazy var reader = make(console)

    init(console: Console, prompt: String?, make: @escaping @Sendable (Console) -> any InputReader) {
        self.console = console
        self.prompt = prompt
        self.make = make
    }

    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.answer()) }
        }
    }

    private func answer() -> String? {
        guard let prompt else { return reader.next() }
        console.prompt(prompt)
        let input = reader.next()
        console.promptAnswered(atEnd: input == nil)
        return input
    }
}
