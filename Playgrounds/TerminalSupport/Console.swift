import Foundation

/// What a program says and where: a person's terminal or a pipe, told apart for input and for output.
///
/// Every line goes out with one `write` of its own, so that a reader at the other end of a pipe has it at once. Safe
/// to use from any thread; lines of several threads do not mix.
///
/// When the reader of the output has gone (`program | head -1`), the process ends quietly with status 141, as one that
/// died of `SIGPIPE` is reported by shells. Where output cannot be written for another reason (a full disk), it ends
/// with status 1 and says why.
///
/// Characters that a terminal would obey are shown as `�`: what is said may have come from anywhere.
public final class Console: Sendable {
    /// Standard input, output and error of this process.
    public static let standard = {
        // A closed one is opened to no use: the next pipe or file would take its number, and be read or written instead.
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
    /// Whether somebody is there to answer a prompt.
    public var isInteractive: Bool { isInputTerminal && isOutputTerminal }

    let input: Int32
    private let output: Int32
    private let error: Int32
    private let lock = NSLock()
    // Touched under `lock` alone. The lines of the status as they are shown.
    private nonisolated(unsafe) var status: [String] = []
    /// The prompt behind which a person may be typing. It is the last line then.
    private nonisolated(unsafe) var prompt: String?
    private var isPrompting: Bool { prompt != nil }
    /// Whether the line above the prompt is one that `update` replaces.
    private nonisolated(unsafe) var isUpdatable = false

    /// A console over open file descriptors, which stay the caller's to close. The process ignores `SIGPIPE` from then
    /// on.
    public init(input: Int32, output: Int32, error: Int32) {
        // A closed pipe is then an error of `write` instead of a signal.
        signal(SIGPIPE, SIG_IGN)
        self.input = input
        self.output = output
        self.error = error
        isInputTerminal = isatty(input) == 1
        isOutputTerminal = isatty(output) == 1
    }

    /// How many columns the terminal has; 80 where there is none.
    public var width: Int { size.columns }

    /// How many columns of a status are shown. Those at the end stay free for the `^C` that a terminal shows when a
    /// person presses Ctrl-C: in a line of its own it could not be replaced.
    public var statusWidth: Int { max(1, width - 3) }

    private var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes one line, or several; on a terminal it takes the place of the status, if one is shown.
    public func line(_ text: String) {
        lock.withLock {
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.harmless)
            isUpdatable = false
            if isPrompting {
                write(abovePrompt(lines), to: output)
            } else {
                write(eraseStatus() + lines.joined(separator: "\n") + "\n", to: output)
            }
        }
    }

    /// Shows a line that the next update replaces. While there is a prompt, it stands above it, and stays when other
    /// lines follow; otherwise it is a status. A line that is too long loses its beginning. Under a pipe: writes a line.
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

    /// Shows a prompt, if input and output are a terminal, and otherwise nothing. Until `promptAnswered` is called,
    /// lines are written above it, and what a person types stays in view.
    func prompt(_ text: String) {
        guard isInteractive else { return }
        lock.withLock {
            write(eraseStatus() + text.harmless, to: output)
            prompt = text.harmless
        }
    }

    /// A person has ended the line with the prompt, or the input, which leaves the prompt alone in its line.
    func promptAnswered(atEnd isAtEnd: Bool) {
        guard isInteractive else { return }
        lock.withLock {
            prompt = nil
            isUpdatable = false
            if isAtEnd { write("\r\u{1B}[K", to: output) }
        }
    }

    /// Makes room above the line of the prompt, fills it, and returns to the column where a person types.
    private func abovePrompt(_ lines: [String]) -> String {
        let columns = size.columns
        let rows = lines.reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) }
        // On the last row of the terminal there is room only when the screen has scrolled.
        let room = String(repeating: "\u{1B}D", count: rows) + "\u{1B}[\(rows)A"
        return room + "\u{1B}7\r\u{1B}[\(rows)L" + lines.joined(separator: "\n") + "\u{1B}8\u{1B}[\(rows)B"
    }

    /// Shows text that the next line or status replaces, cut to `statusWidth`. Under a pipe: nothing.
    public func status(_ text: String) {
        status([text])
    }

    /// Shows lines that the next line or status replaces, each cut to `statusWidth`, and as many as fit on the terminal.
    /// Under a pipe, or while there is a prompt: nothing.
    public func status(_ lines: [String]) {
        guard isOutputTerminal else { return }
        let size = size
        let visible = lines.prefix(max(1, size.rows - 1)).map {
            "\($0.harmless.prefix(statusWidth))\u{1B}[K"
        }
        lock.withLock {
            if isPrompting { return }
            KeyMode.announceContinuations()
            // Erased from below the last line that stays: only what is no longer covered would flicker.
            forgetStatusAfterStop()
            let erasing = visible.count < status.count ? eraseStatus() : returnToTop()
            status = visible
            write(erasing + visible.joined(separator: "\n"), to: output)
        }
    }

    /// Shows the prompt or the status again, if there is one: below what another program has written meanwhile.
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

    /// Shows what a person can do next, as a status, if input and output are a terminal; otherwise nothing.
    public func hint(_ text: String) {
        if isInteractive { status(text) }
    }

    /// Writes one line to standard error: line breaks within the text become spaces.
    public func failure(_ text: String) {
        let single = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        lock.withLock {
            let erasing = eraseStatus()
            if !erasing.isEmpty { write(erasing, to: output) }
            write(single.harmless + "\n", to: error)
        }
    }

    /// After a stop, the shell has written below the status, which is no longer there to be erased.
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

    /// To the beginning of the first line of the status.
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
                    // By itself: where this cannot be written either, that is all there is to do.
                    let message = Array("The output cannot be written: \(reason)\n".utf8)
                    _ = Foundation.write(error, message, message.count)
                    KeyMode.restore()
                    _exit(ExitStatus.failure)
                } else {
                    // Nobody is left to be told.
                    return
                }
            }
        }
    }
}

extension String {
    /// The end of the text, after an ellipsis, if all of it does not fit.
    public func shortened(to width: Int) -> String {
        count <= width ? self : "…" + suffix(width - 1)
    }
}
