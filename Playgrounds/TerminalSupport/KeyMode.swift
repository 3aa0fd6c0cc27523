import Foundation

/// The terminal's mode in which each key arrives as it is pressed, unseen, without waiting for return.
///
/// The process has one terminal, so the mode is one for the process. However it ends, the mode it began with comes
/// back: by `restore()`, when the process exits, and on the signals that end it, Ctrl-C included. (`SIGKILL` cannot be
/// caught; `stty sane` helps then.)
enum KeyMode {
    // What a signal handler reads must exist before the signal comes, and must need no lock: a plain allocation,
    // written before the handlers are set.
    private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    private nonisolated(unsafe) static let isActive = {
        let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
        flag.initialize(to: 0)
        return flag
    }()

    private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 128)

    /// What to do on a signal that ends the process: give the terminal back, and end. Harmless while the mode is off.
    static let ending: @convention(c) (Int32) -> Void = { number in
        KeyMode.restore()
        signal(number, SIG_DFL)
        raise(number)
    }

    private static let installOnce: Void = {
        atexit { KeyMode.restore() }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            // Who ignores or handles the signal already, goes on doing so.
            if let previous = signal(number, ending) { signal(number, previous) }
        }
        // On a crash the terminal is given back first; then the instruction that failed fails once more, and whoever
        // reports crashes is called as if nothing had been between.
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
        installOnce
        isActive.pointee = 1
        // Signals stay on: Ctrl-C interrupts.
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        return tcsetattr(STDIN_FILENO, TCSANOW, &attributes) == 0
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
}
