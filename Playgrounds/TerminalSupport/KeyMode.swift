import Foundation

/// The mode of the terminal in which each key arrives as it is pressed, without echo and without return.
///
/// The process has one terminal and therefore one mode. The original mode is restored by `restore()`, when the process
/// exits, and by the signals that end the process, including Ctrl-C. After `SIGKILL`, which cannot be caught,
/// `stty sane` restores the terminal.
///
/// When Ctrl-Z stops the process, the shell gets the terminal in the mode it had before. When the process continues in
/// the foreground, the mode for keys is set again. After `announceContinuations()`, a byte is also written to the pipe
/// `continuations`, whichever mode is on.
enum KeyMode {
    // Memory that a signal handler reads must exist before the signal arrives, and must not need a lock. These are
    // plain allocations that are initialized before the handlers are installed.
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

    /// Handles a signal that ends the process: restores the terminal, if the mode is on, and ends the process.
    static let ending: @convention(c) (Int32) -> Void = { number in
        KeyMode.leave()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// The reading end of a pipe that receives a byte when the process continues after a stop.
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

    /// Causes a byte to be written to `continuations` whenever the process continues in the foreground after a stop.
    static func announceContinuations() {
        announceOnce
    }

    /// Returns whether the process has continued since the last call. Reads the bytes from `continuations`.
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
        // Handles stops that cannot be caught or that another signal caused.
        announceOnce
        atexit { KeyMode.restore() }
        if let previous = signal(SIGTSTP, { _ in KeyMode.stop() }) { signal(SIGTSTP, previous) }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            // A disposition that the process already had is kept.
            if let previous = signal(number, ending) { signal(number, previous) }
        }
        // On a crash, the terminal is restored first. Then the failed instruction is repeated, which calls the previous
        // handler.
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            sigaction(number, nil, previous + Int(number))
            signal(number) { number in
                KeyMode.restore()
                sigaction(number, KeyMode.previous + Int(number), nil)
                if number == SIGABRT { raise(number) }
            }
        }
    }()

    /// Switches the mode on. Returns `false` if standard input is not a terminal.
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

    /// Initializes the memory that `restore()` accesses, so that signal handlers can call it.
    static func prepare() {
        _ = isActive
    }

    /// Restores the original mode of the terminal. Does nothing if the mode is off. May be called in a signal handler
    /// after `prepare()` or `begin()`.
    static func restore() {
        guard isActive.pointee == 1 else { return }
        isActive.pointee = 0
        tcsetattr(STDIN_FILENO, TCSANOW, original)
    }

    /// Erases the hint on the last line and restores the terminal. Only for signal handlers.
    private static func leave() {
        guard isActive.pointee == 1 else { return }
        let erasing: StaticString = "\r\u{1B}[K"
        _ = write(STDOUT_FILENO, erasing.utf8Start, erasing.utf8CodeUnitCount)
        restore()
    }

    /// Restores the terminal and stops the process. Returns when the process continues. Only for a signal handler.
    private static func stop() {
        let number = errno
        let wasActive = isActive.pointee
        leave()
        signal(SIGTSTP, SIG_DFL)
        var stopping = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTSTP)
        // The signal is blocked in its own handler.
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
