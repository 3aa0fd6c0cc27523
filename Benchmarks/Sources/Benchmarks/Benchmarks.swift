import Foundation

@main
struct Benchmarks {
    static var rows: [Row] {
        envIORows + stateRows + opticsRows + envIOConcurrencyRows + retryRows + dispatcherRows + componentRows
            + loopRows + effectsRows + listRows + childRows + wayRows + policyRows + creatingRows + readingRows
            + tracingRows
            + tracingFileRows + memoryRows
    }

    static let groups = [coreGrowth, dispatcherGrowth, loopGrowth, effectsGrowth]

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == Memory.argument { return Memory.measure(arguments.last ?? "") }
        if arguments.first == CountedWork.argument {
            return CountedWork.run(rows) { name in arguments.count == 1 || name.contains(arguments[1]) }
        }
        guard let options = Options(arguments) else { exit(EX_USAGE) }
        if options.isHelp { return print(Options.help) }
        #if DEBUG
            if !options.isList { print("Not optimised: build with -c release.") }
        #endif
        if !names(options.isGrowth).contains(where: options.selects) {
            print("No row or series has this in its name. See --list.")
            exit(EX_USAGE)
        }
        if options.isGrowth {
            await measureGrowth(options)
        } else if options.isRecord {
            await recordRows(options)
        } else {
            await measureRows(options)
        }
    }

    private static func names(_ isGrowth: Bool) -> [String] {
        isGrowth
            ? groups.flatMap { group in group.series.map { "\(group.name): \($0.name)" } }
            : rows.map { "\($0.section): \($0.name)" }
    }

    private static func measureRows(_ options: Options) async {
        let chosen = rows.filter { options.selects("\($0.section): \($0.name)") }
        if options.isList {
            for row in chosen { print("\(row.section): \(row.name)") }
            return
        }
        let records = Records()
        var report = Report()
        for row in chosen { report.add(row, await row.measureUpToThreeTimes(records)) }
        report.finish()
        if options.isStrict, report.failures > 0 { exit(1) }
    }

    /// Records the chosen rows. The other rows keep their records, and lines that no longer exist lose theirs.
    private static func recordRows(_ options: Options) async {
        var records = Records()
        var names: [String] = []
        for row in rows {
            names += row.lines().filter(\.isBarred).map(row.name(of:))
            guard options.selects("\(row.section): \(row.name)") else { continue }
            for (name, ratio) in await row.ratios() {
                print(ratio.isFinite ? "\(short(ratio).padded(to: -8))  \(name)" : "WRONG, not recorded: \(name)")
                if ratio.isFinite { records[name] = ratio }
            }
            fflush(nil)
        }
        do {
            try records.write(names)
        } catch {
            print("The records could not be written: \(error)")
            exit(1)
        }
    }

    private static func measureGrowth(_ options: Options) async {
        var chart: [(name: String, curves: [Curve])] = []
        if !options.isList { GrowthTable.printHead() }
        for group in groups {
            let chosen = group.series.filter { options.selects("\(group.name): \($0.name)") }
            if options.isList {
                for series in chosen { print("\(group.name): \(series.name)") }
                continue
            }
            var curves: [Curve] = []
            for series in chosen {
                curves.append(await series.measure())
                GrowthTable.print(curves[curves.count - 1], of: group.name)
                fflush(nil)
            }
            if !curves.isEmpty { chart.append((group.name, curves)) }
        }
        GrowthTable.printNotes(of: chart.flatMap(\.curves))
        guard let file = options.svg else { return }
        do {
            try GrowthChart.svg(chart).write(toFile: file, atomically: true, encoding: .utf8)
        } catch {
            print("The chart could not be written to \(file): \(error)")
            exit(1)
        }
    }
}
