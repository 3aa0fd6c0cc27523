import Foundation

/// The input and the output of a program. Each can be a terminal or a pipe.
///
/// Each line is written with one `write`, so that the reader of a pipe receives it at once. Thread-safe: lines of
/// several threads do not mix.
///
/// If the reader of the output has closed it (`program | head -1`), the process ends without a message and with status
/// 141, the status that shells report after `SIGPIPE`. If the output cannot be written for another reason, such as a
/// full disk, the process reports the reason and ends with status 1.
///
/// Control characters are shown as `�`, because the text may come from anywhere. On a terminal, long lines are folded
/// between words.
public final class Console: Sendable {
    /// Standard input, output and error of this process.
    public static let standard = {
        // Otherwise the next pipe or file would get the number of a closed descriptor and be read or written instead.
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", mode)
        }
        return Console(input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO)
    }()

    /// Whether a person types the input.
    public let isInputTerminal: Bool
    /// Whether a person sees the output.
    public let isOutputTerminal: Bool
    /// Whether a person can answer a prompt.
    public var isInteractive: Bool { isInputTerminal && isOutputTerminal }
    private let isErrorTerminal: Bool

    let input: Int32
    private let output: Int32
    private let error: Int32
    private let lock = NSLock()
    // The lines of the status as they are shown. Like the other mutable properties, accessed only while `lock` is held.
    private nonisolated(unsafe) var status: [String] = []
    /// The prompt in the last line, after which a person may be typing.
    private nonisolated(unsafe) var prompt: String?
    private var isPrompting: Bool { prompt != nil }
    /// Whether `update` replaces the line above the prompt.
    private nonisolated(unsafe) var isUpdatable = false

    /// Creates a console for open file descriptors, which the caller closes. The process ignores `SIGPIPE` from then
    /// on.
    public init(input: Int32, output: Int32, error: Int32) {
        // Writing to a closed pipe then returns an error instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        self.input = input
        self.output = output
        self.error = error
        isInputTerminal = isatty(input) == 1
        isOutputTerminal = isatty(output) == 1
        isErrorTerminal = isatty(error) == 1
    }

    /// The number of columns of the terminal, or 80 without a terminal.
    public var width: Int { size(of: output).columns }

    /// The number of columns that a status may use.
    ///
    /// The last columns stay free for the `^C` that a terminal shows after Ctrl-C. In a line of its own it could not be
    /// erased.
    public var statusWidth: Int { max(1, width - 3) }

    private func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes one or several lines. On a terminal they replace the status, and long lines are folded between words.
    public func line(_ text: String) {
        lock.withLock {
            let whole = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.harmless)
            let lines = isOutputTerminal ? whole.flatMap { $0.folded(to: width) } : whole
            isUpdatable = false
            if isPrompting {
                write(abovePrompt(lines), to: output)
            } else {
                write(eraseStatus() + lines.joined(separator: "\n") + "\n", to: output)
            }
        }
    }

    /// Shows a line that the next update replaces.
    ///
    /// With a prompt, the line is above the prompt, and stays if other lines follow. Without a prompt, it is a status.
    /// A line that is too long loses its beginning. Under a pipe, each update is a line.
    public func update(_ text: String) {
        guard isOutputTerminal else { return line(text) }
        let isShown = lock.withLock {
            guard isPrompting else { return false }
            let line = text.harmless.shortened(to: statusWidth)
            write(
                isUpdatable ? "\u{1B}7\r\u{1B}[A\(line)\u{1B}[K\u{1B}8" : abovePrompt([line]), to: output)
            isUpdatable = true
            return true
        }
        if !isShown { status(text.shortened(to: statusWidth)) }
    }

    /// Shows a prompt if input and output are a terminal. Until `promptAnswered` is called, lines are written above it,
    /// and typed text stays visible.
    func prompt(_ text: String) {
        guard isInteractive else { return }
        lock.withLock {
            write(eraseStatus() + text.harmless, to: output)
            prompt = text.harmless
        }
    }

    /// Ends the prompt after a person has ended the line or the input. At the end of the input, erases the prompt.
    func promptAnswered(atEnd isAtEnd: Bool) {
        guard isInteractive else { return }
        lock.withLock {
            prompt = nil
            isUpdatable = false
            if isAtEnd { write("\r\u{1B}[K", to: output) }
        }
    }

    /// Returns the sequence that inserts lines above the prompt and moves the cursor back to the typed text.
    private func abovePrompt(_ lines: [String]) -> String {
        let columns = width
        let rows = lines.reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) }
        // On the last row of the terminal, the screen has to scroll first.
        let room = String(repeating: "\u{1B}D", count: rows) + "\u{1B}[\(rows)A"
        return room + "\u{1B}7\r\u{1B}[\(rows)L" + lines.joined(separator: "\n") + "\u{1B}8\u{1B}[\(rows)B"
    }

    /// Shows text that the next line or status replaces, cut to `statusWidth`. Does nothing under a pipe.
    public func status(_ text: String) {
        status([text])
    }

    /// Shows lines that the next line or status replaces.
    ///
    /// Each line is cut to `statusWidth`, between words. Lines that do not fit on the terminal are not shown. Does nothing
    /// under a pipe or while there is a prompt.
    public func status(_ lines: [String]) {
        guard isOutputTerminal else { return }
        let width = statusWidth
        let visible = lines.prefix(max(1, size(of: output).rows - 1)).map {
            "\($0.harmless.cut(to: width))\u{1B}[K"
        }
        lock.withLock {
            if isPrompting { return }
            KeyMode.announceContinuations()
            // Erases only if the new status has fewer lines, because erasing flickers.
            forgetStatusAfterStop()
            let erasing = visible.count < status.count ? eraseStatus() : returnToTop()
            status = visible
            write(erasing + visible.joined(separator: "\n"), to: output)
        }
    }

    /// Shows the prompt or the status again, below the output of another program.
    func showAgain() {
        lock.withLock {
            isUpdatable = false
            if let prompt {
                write("\r" + prompt, to: output)
            } else if !status.isEmpty {
                write("\r" + status.joined(separator: "\n"), to: output)
            }
        }
    }

    /// Removes the status, if one is shown.
    public func clearStatus() {
        lock.withLock {
            let erasing = eraseStatus()
            if !erasing.isEmpty { write(erasing, to: output) }
        }
    }

    /// Shows the possible inputs as a status if input and output are a terminal. Otherwise does nothing.
    public func hint(_ text: String) {
        if isInteractive { status(text) }
    }

    /// Writes one line to standard error. Line breaks in the text become spaces. On a terminal, a long line is folded
    /// between words.
    public func failure(_ text: String) {
        let single = text.split(whereSeparator: \.isNewline).joined(separator: " ").harmless
        lock.withLock {
            let erasing = eraseStatus()
            if !erasing.isEmpty { write(erasing, to: output) }
            let lines = isErrorTerminal ? single.folded(to: size(of: error).columns) : [single]
            write(lines.joined(separator: "\n") + "\n", to: error)
        }
    }

    /// Forgets the status after a stop. The shell has written below it, so it can no longer be erased.
    private func forgetStatusAfterStop() {
        if !status.isEmpty, KeyMode.hasContinued() { status = [] }
    }

    private func eraseStatus() -> String {
        forgetStatusAfterStop()
        defer { status = [] }
        return switch status.count {
        case 0: ""
        case 1: "\r\u{1B}[K"
        default: returnToTop() + "\u{1B}[J"
        }
    }

    /// Returns the sequence that moves the cursor to the beginning of the status.
    private func returnToTop() -> String {
        status.count > 1 ? "\r\u{1B}[\(status.count - 1)A" : "\r"
    }

    private func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeBufferPointer(rebasing: bytes[...])
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeBufferPointer(rebasing: rest[count...])
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno == EPIPE && descriptor == output {
                    KeyMode.restore()
                    _exit(128 + SIGPIPE)
                } else if errno == EINTR {
                    continue
                } else if descriptor == output {
                    let reason = String(cString: strerror(errno))
                    // Written directly: a failure of this write is ignored.
                    let message = Array("The output cannot be written: \(reason)\n".utf8)
                    _ = Foundation.write(error, message, message.count)
                    KeyMode.restore()
                    _exit(ExitStatus.failure)
                } else {
                    // Standard error cannot be written, so the failure cannot be reported.
                    return
                }
            }
        }
    }
}
