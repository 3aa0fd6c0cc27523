import PropertyTesting

/// Prints how many of twenty seeds find the smallest counterexample of each row of the shrinking challenge, as a table
/// in Markdown. The only argument, if there is one, is the name of the row to run.
@main enum Table {
    static let seeds = 0..<20 as Range<UInt64>
    static let cases = 1_000

    static func main() async {
        let name = CommandLine.arguments.dropFirst().first
        print("| row | minimal | tries: median | most | found at case: median | last | other results |")
        print("|---|---:|---:|---:|---:|---:|---|")
        for row in ShrinkingChallenge.all where name == nil || name == row.name { await printRow(row) }
    }

    private static func printRow(_ row: ShrinkingChallenge) async {
        var (minimal, tries, found, others) = (0, [] as [Int], [] as [Int], [] as [String])
        for seed in seeds {
            guard let falsified = await row.falsify(PropertySettings(cases: cases, seed: seed)) else {
                others.append("not found")
                continue
            }
            let counterexample = falsified.counterexample ?? ""
            if counterexample == row.minimum { minimal += 1 } else { others.append("`\(counterexample)`") }
            // "case 5 of 100, 35 shrinks in 555 tries"
            let numbers = (falsified.history ?? "").split { !$0.isNumber }.compactMap { Int($0) }
            guard numbers.count == 4 else { continue }
            found.append(numbers[0])
            tries.append(numbers[3])
        }
        print(
            """
            | \(row.name) | \(minimal)/\(seeds.count) | \(median(tries)) | \(tries.max() ?? 0) | \(median(found)) \
            | \(found.max() ?? 0) | \(others.prefix(4).joined(separator: "; ")) |
            """)
    }

    private static func median(_ numbers: [Int]) -> Int {
        numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
    }
}
