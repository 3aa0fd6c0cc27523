import Dispatch

/// Something that answers what a person or a pipe says next.
///
/// Not for several threads: one reader, one loop.
public protocol InputReader: AnyObject {
    /// Waits for the next input, blocking the calling thread; nil at the end of the input.
    func next() -> String?
}

extension InputReader {
    /// Waits for the next input, and shows a person meanwhile what there is to choose from.
    public func next(hint: String, on console: Console) -> String? {
        console.hint(hint)
        return next()
    }
}

extension Console {
    /// Keys, one by one, on a terminal; lines otherwise. For programs whose commands are single characters.
    public func keysOrLines() -> any InputReader {
        if isInteractive, let keys = KeyReader(self) { return keys }
        return LineReader(self)
    }

    /// Lines, from a terminal or a pipe.
    public func lines() -> any InputReader {
        LineReader(self)
    }

    /// The inputs of a reader as a sequence to `await`, read on a thread of its own, one only when it is asked for.
    ///
    /// A read that waits cannot be interrupted: cancelling the consuming task is seen after the next input. With a
    /// prompt, a person is shown it before each line; what the program writes meanwhile appears above it.
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

/// A reader that lives on one serial queue.
///
/// `@unchecked Sendable`: `reader` is made and used on `queue` alone.
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
