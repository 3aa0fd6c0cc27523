/// Tells of inputs that a program does not understand, and remembers that there were some.
///
/// A program goes on after a complaint: a person sees it and tries again. A script is told by the exit status.
public struct Complaints {
    private let name: String
    private let console: Console
    private var isEmpty = true

    /// Complaints of the program with this name.
    public init(of name: String, console: Console = .standard) {
        self.name = name
        self.console = console
    }

    /// Says in one line on standard error what is wrong with an input.
    public mutating func add(_ reason: String) {
        isEmpty = false
        console.failure("\(name): \(reason)")
    }

    /// How the program should exit: failure, if there was something to complain about and nobody at a terminal saw it.
    public var status: Int32 {
        isEmpty || console.isInteractive ? ExitStatus.success : ExitStatus.failure
    }
}

extension String {
    /// The text in quotes as part of a message: what a terminal would obey is spelled out, and the end of a long text
    /// is left out.
    public var quoted: String {
        let longest = 40
        return (count > longest ? prefix(longest) + "…" : self).debugDescription
    }
}
