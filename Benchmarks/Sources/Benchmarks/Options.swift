/// The command line.
struct Options {
    static let help = """
        Measures the rows of the performance table, each against its bar, or how times grow.

        usage: swift run -c release --package-path Benchmarks [option ...] [filter ...]

        filter       only the rows or series whose section and name contain it, in upper or lower case
        --list       prints the names and measures nothing
        --strict     exits with status 1 if a line is over its bar, wrong, or not recorded
        --record     measures each line three times and writes the median ratio to records.txt; for a quiet machine
        --growth     measures 1, 10, 100, 1,000 and 10,000 of each thing that can be many
        --svg FILE   with --growth: also writes a chart
        --help       prints this text
        """

    private(set) var isHelp = false
    private(set) var isList = false
    private(set) var isStrict = false
    private(set) var isRecord = false
    private(set) var isGrowth = false
    private(set) var svg: String?
    private var filters: [String] = []

    /// Returns `nil` after a message if the arguments cannot be understood.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help": isHelp = true
            case "--list": isList = true
            case "--strict": isStrict = true
            case "--record": isRecord = true
            case "--growth": isGrowth = true
            case "--svg":
                guard let file = rest.popFirst(), !file.hasPrefix("-") else {
                    Self.refuse("--svg needs a file.")
                    return nil
                }
                svg = file
            case _ where argument.hasPrefix("-"):
                Self.refuse("There is no option \(argument).")
                return nil
            default: filters.append(argument.lowercased())
            }
        }
        if isRecord, isStrict || isGrowth || isList {
            Self.refuse("--record cannot be combined with other options.")
            return nil
        }
        if svg != nil, !isGrowth || isList {
            Self.refuse("--svg needs --growth, and a measurement.")
            return nil
        }
    }

    func selects(_ name: String) -> Bool {
        filters.isEmpty || filters.contains { name.lowercased().contains($0) }
    }

    private static func refuse(_ message: String) {
        print("\(message)\n\n\(help)")
    }
}
