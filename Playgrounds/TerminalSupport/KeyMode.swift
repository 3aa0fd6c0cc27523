import Foundation

/// The terminal's mode in which each key arrives as it is pressed, unseen, without waiting for return.
///
/// The process has one terminal, so the mode is one for the process. However it ends, the mode it began with comes
/// back: by `restore()`, when the process exits, and on the signals that end it, Ctrl-C included. (`SIGKILL` cannot be
/// caught; `stty sane` helps then.)
///
/// When Ctrl-Z stops the process, the shell gets the terminal in the mode it had before. When the process continues in
/// the foreground, the mode for keys is set again. After `announceContinuations()`, a byte is also written to the pipe
/// `continuations`, whichever mode is on.
enum KeyMode {
    // What a signal handler reads must exist before the signal comes, and must need no lock: a plain allocation,
    // written before the handlers are set.
    private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private nonisolated(unsafe) static let keys = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    /// The writing end of the pipe of `continuations`.
    private nonisolated(unsafe) static let announcements = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private nonisolated(unsafe) static let isActive = {
        let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        flag.initialize(to: 0)
        return flag
    }()

    private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 128)

    /// What to do on a signal that ends the process: give the terminal back, and end. Harmless while the mode is off.
    static let ending: @convention(c) (Int32) -> Void = { number in
        KeyMode.leave()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// The reading end of a pipe from which a byte can be read when the process has continued after a stop.
    static let continuations: Int32 = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("There is no file descriptor left for continuations.") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A signal handler must not wait for a full pipe, nor a reader for an empty one.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        announcements.initialize(to: ends[1])
        return ends[0]
    }()

    /// Has a byte written to `continuations` whenever the process continues in the foreground after a stop.
    static func announceContinuations() {
        announceOnce
    }

    /// Whether the process has continued since the last call of this, or since a byte was read from `continuations`.
    static func hasContinued() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return read(continuations, &bytes, bytes.count) > 0
    }

    private static let announceOnce: Void = {
        _ = continuations
        prepare()
        if let previous = signal(SIGCONT, { _ in KeyMode.resume() }) { signal(SIGCONT, previous) }
    }()

    private static let installOnce: Void = {
        // For a stop that cannot be caught, or that another signal caused.
        announceOnce
        atexit { KeyMode.restore() }
        if let previous = signal(SIGTSTP, { _ in KeyMode.stop() }) { signal(SIGTSTP, previous) }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            // Who ignores or handles the signal already, goes on doing so.
            if let previous = signal(number, ending) { signal(number, previous) }
        }
        // On a crash the terminal is restored first. Then the instruction that failed fails once more, and the previous
        // handler is called.
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            sigaction(number, nil, previous + Int(number))
            signal(number) { number in
                KeyMode.restore()
                sigaction(number, KeyMode.previous + Int(number), nil)
                if number == SIGABRT { raise(number) }
            }
        }
    }()

    /// Switches the mode on. False when standard input is no terminal.
    static func begin() -> Bool {
        guard isActive.pointee == 0 else { return true }
        var attributes = termios()
        guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return false }
        original.initialize(to: attributes)
        // Signals stay on: Ctrl-C interrupts.
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        keys.initialize(to: attributes)
        installOnce
        isActive.pointee = 1
        return tcsetattr(STDIN_FILENO, TCSANOW, keys) == 0
    }

    /// Makes what `restore()` touches, so that a signal handler finds it made.
    static func prepare() {
        _ = isActive
    }

    /// Gives the terminal back as it was. Does nothing when the mode is off; allowed in a signal handler, after
    /// `prepare()` or `begin()`.
    static func restore() {
        guard isActive.pointee == 1 else { return }
        isActive.pointee = 0
        tcsetattr(STDIN_FILENO, TCSANOW, original)
    }

    /// Gives the terminal back and erases the hint on its last line. Only for signal handlers.
    private static func leave() {
        guard isActive.pointee == 1 else { return }
        let erasing: StaticString = "\r\u{1B}[K"
        _ = write(STDOUT_FILENO, erasing.utf8Start, erasing.utf8CodeUnitCount)
        restore()
    }

    /// Gives the terminal back and stops the process; returns when it continues. Only for a signal handler.
    private static func stop() {
        let number = errno
        let wasActive = isActive.pointee
        leave()
        signal(SIGTSTP, SIG_DFL)
        var stopping = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTSTP)
        // Within its own handler the signal is blocked.
        pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
        raise(SIGTSTP)
        signal(SIGTSTP) { _ in KeyMode.stop() }
        isActive.pointee = wasActive
        resume()
        errno = number
    }

    /// Sets the mode for keys again if it is on, and announces the continuation. Does nothing in the background, where
    /// a process must leave the terminal alone. Only for signal handlers.
    private static func resume() {
        let number = errno
        defer { errno = number }
        guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        if isActive.pointee == 1 { tcsetattr(STDIN_FILENO, TCSANOW, keys) }
        var byte: UInt8 = 0
        _ = write(announcements.pointee, &byte, 1)
    }
}
