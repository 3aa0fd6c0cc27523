/// Reports inputs that a program does not understand, and records that there were some.
///
/// The program continues after a complaint: a person sees it and tries again. A script reads the exit status.
public struct Complaints {
    private let name: String
    private let console: Console
    private var isEmpty = true
    /// Whether the last input was not understood.
    private var isConfused = false

    /// Creates the complaints of the program with this name.
    public init(of name: String, console: Console = .standard) {
        self.name = name
        self.console = console
    }

    /// Writes one line to standard error that says what is wrong with an input.
    public mutating func add(_ reason: String) {
        isEmpty = false
        console.failure("\(name): \(reason)")
    }

    /// Writes one line to standard error that says what is wrong with a key or a line.
    ///
    /// On a terminal, a word that a person types arrives as several keys. They are one mistake: after the first, no key is
    /// reported until `understood()` is called.
    public mutating func addKey(_ reason: String) {
        if isConfused, console.isInteractive { return }
        isConfused = true
        add(reason)
    }

    /// Records that an input was understood.
    public mutating func understood() {
        isConfused = false
    }

    /// The exit status of the program: failure if there was a complaint and the program does not run on a terminal.
    public var status: Int32 {
        isEmpty || console.isInteractive ? ExitStatus.success : ExitStatus.failure
    }
}

extension String {
    /// The text in quotes, for a message. Control characters are escaped, and a long text is cut.
    public var quoted: String {
        let longest = 40
        return (count > longest ? prefix(longest) + "…" : self).debugDescription
    }
}
