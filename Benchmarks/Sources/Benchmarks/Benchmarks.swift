import Foundation

@main
struct Benchmarks {
    static var rows: [Row] {
        envIORows + envIOConcurrencyRows + retryRows + stateRows + opticsRows + dispatcherRows + componentRows
            + loopRows + effectsRows
    }

    static let help = """
        Measures the rows of the performance tables, each against its bar.

        usage: swift run -c release --package-path Benchmarks [--list] [--strict] [filter ...]

        filter    only the rows whose section or name contains it, in whatever case
        --list    names the rows and measures nothing
        --strict  ends with status 1 where a row is over its bar
        --help    this text
        """

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == Memory.argument { return Memory.measure(arguments.last ?? "") }
        if arguments.contains("--help") { return print(help) }
        let isStrict = arguments.contains("--strict")
        let isList = arguments.contains("--list")
        arguments.removeAll { ["--strict", "--list"].contains($0) }
        if let unknown = arguments.first(where: { $0.hasPrefix("-") }) {
            print("There is no option \(unknown).\n\n\(help)")
            exit(2)
        }

        let chosen = rows.filter { row in
            arguments.isEmpty
                || arguments.contains { "\(row.section): \(row.name)".localizedCaseInsensitiveContains($0) }
        }
        if isList {
            for row in chosen { print("\(row.section): \(row.name)") }
            return
        }
        #if DEBUG
            print("Not optimised: build with -c release.")
        #endif
        var report = Report()
        for row in chosen { report.add(row, await row.measure()) }
        report.finish()
        if isStrict, report.over > 0 { exit(1) }
    }
}
