import Foundation
import TestSupport
import Testing
import VirtualTime

/// Each public function that takes a duration, a count or a share follows the rule of the article "Limits".
@Suite("Durations and counts", .timeLimit(.minutes(10)))
struct LimitTests {
    /// A parameter of a public function or initializer, or a payload of a public case.
    struct Parameter: Sendable {
        /// The function and the label, as in "ActionStream.prefix _".
        let name: String
        let results: [(extreme: Extreme, expected: Expected)]
        /// Passes an extreme value to the function, and returns what that leads to.
        let pass: @Sendable (Extreme) async throws -> String

        /// Creates a parameter for which -1, 0 and the largest number lead to these results. If the first one is `nil`,
        /// a negative number is refused by the check that refuses zero.
        init(
            _ name: String, _ negative: Expected?, _ zero: Expected, _ largest: Expected,
            _ pass: @escaping @Sendable (Extreme) async throws -> String
        ) {
            self.name = name
            results = (negative.map { [(.negative, $0)] } ?? []) + [(.zero, zero), (.largest, largest)]
            self.pass = pass
        }

        /// Creates a parameter for a time to wait. The closure returns the time that has passed.
        init(waiting name: String, _ pass: @escaping @Sendable (Duration) async throws -> Duration) {
            let century = Duration.seconds(100 * 365 * 24 * 60 * 60)
            self.init(name, .is("\(Duration.zero)"), .is("\(Duration.zero)"), .is("\(century)")) { extreme in
                "\(try await pass(extreme.duration))"
            }
        }
    }

    enum Extreme: Codable, Sendable, CaseIterable {
        case negative, zero, largest

        var count: Int {
            switch self {
            case .negative: -1
            case .zero: 0
            case .largest: .max
            }
        }

        var duration: Duration { self == .negative ? .seconds(Int64.min) : .seconds(count) }
        /// A range that ends at the extreme value, or begins there if it is negative.
        var counts: ClosedRange<Int> { min(count, 0)...max(count, 0) }
    }

    enum Expected: Sendable {
        case `is`(String)
        /// Traps with a message that contains the text.
        case trap(String)
    }

    static let parameters = waits + periods + streamCounts + ownerCounts + programCounts + generatorCounts + testCounts

    private static let cases = parameters.indices.flatMap { index in
        parameters[index].results.map { (index, $0.extreme, $0.expected) }
    }

    @Test("An extreme argument has the documented result", arguments: parameters.indices)
    func accepted(_ index: Int) async throws {
        let parameter = Self.parameters[index]
        for (extreme, expected) in parameter.results {
            guard case .is(let result) = expected else { continue }
            let actual = try await parameter.pass(extreme)
            #expect(actual == result, "\(parameter.name): \(extreme)")
        }
    }

    private static let traps = cases.compactMap {
        index, extreme, expected -> (index: Int, extreme: Extreme, text: String)? in
        if case .trap(let text) = expected { (index, extreme, text) } else { nil }
    }

    @Test("An argument that makes no sense traps with a message", .promptly, arguments: traps.indices)
    func refusals(_ number: Int) async throws {
        let (index, extreme, text) = Self.traps[number]
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int, extreme = extreme as Extreme] in
            _ = try await LimitTests.parameters[index].pass(extreme)
        }
        let message = result.standardErrorText
        let parameter = Self.parameters[index]
        #expect(message.contains(text) && message.contains("To fix, "), "\(parameter.name): \(extreme): \(message)")
    }

    @Test("The table has each numeric parameter of the public API")
    func completeness() throws {
        let declared = Set(try PublicAPI.numericParameters())
        #expect(declared.count > 50)
        let tested = Set(Self.parameters.map(\.name))
        let excepted = Set(Self.exceptions.keys)
        #expect(declared.subtracting(tested).subtracting(excepted) == [], "Add these to the table, or to `exceptions`.")
        #expect(tested.union(excepted).subtracting(declared) == [], "These are not in API/.")
        #expect(tested.intersection(excepted) == [])
    }

    /// Numeric parameters without a rule of this kind, with the reason.
    private static let exceptions = [
        ".forAll count": "It passes the argument to the same generator as falsify, and does not run outside of a test.",
        "AnyTestDriver.advance by": "A negative duration is an issue of the test, which TestDriverTests test.",
        "EffectFailure.NextStep.restarts left": reported,
        "TraceEvent.Recovery.retry after": reported,
        "Falsified.Reason.discarded discarded": reported,
        "Falsified.Reason.discarded ran": reported,
        "Gen.double in": "Any finite number is generated.",
        "Gen.int in": "Any number is generated.",
        "Gen.resized _": "The closure returns a size. Sizes outside of 1...100 are clamped.",
        "Gen.sized _": "The size is the argument of the closure.",
        "ManualExecutor.init seed": seed,
        "PropertySettings.init seed": seed,
        "Source.choose upTo": "Any bound is valid: the type has no negative numbers.",
        "ValueChange.Step.index _": reported,
        "StepOrder.init _": "The argument is a list of choices. A negative one traps, which StepOrderTests test.",
        "TestAxes.init rawValue": "The bits of an option set.",
        "TimeoutError.init duration": reported,
        "TraceEvent.Kind.cancelled work": reported,
        "TraceEvent.Kind.changed observers": reported,
        "TraceEvent.Kind.ended work": reported,
        "TraceEvent.Kind.failed work": reported,
        "TraceEvent.Kind.handled message": reported,
        "TraceEvent.Kind.suspended work": reported,
        "Trait.seed _": seed,
        "VirtualClock.Instant.advanced by": instant,
        "VirtualClock.Instant.duration to": instant,
        "VirtualClock.Instant.init offset": instant,
        "VirtualClock.advance to": instant,
        "VirtualClock.init now": instant,
        "VirtualClock.sleep tolerance": "It is ignored.",
        "VirtualClock.sleep until": instant,
        "VirtualScheduler.advance to": instant,
        "VirtualScheduler.init seed": seed,
        "WorkStatus.sleeping until": reported,
    ]

    private static let reported = "The library reports or compares the number, and does not compute with it."
    private static let seed = "Any number is a seed."
    private static let instant =
        "An instant, not a duration. The arithmetic of Duration is that of the standard library."
}

/// The declarations in the files of the folder `API`.
private enum PublicAPI {
    private static let numbers: Set = ["Int", "Int64", "UInt", "UInt64", "Double", "Float", "Duration", "Instant"]

    /// The numeric parameters of all functions, initializers and cases, as in "ActionStream.prefix _".
    static func numericParameters() throws -> [String] {
        let folder = PackageFolder.url.appending(path: "API")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
            .flatMap { parameters(of: String($0)) }
    }

    private static func parameters(of line: String) -> [String] {
        guard let name = line.firstMatch(of: #/\b(?:func `?([^ (<`]+)`?|case (\w+)|(init))/#),
            let start = line[name.range.upperBound...].firstIndex(of: "(")
        else { return [] }
        let owner = line.prefixMatch(of: #/[\w.]+(?=: )/#)?.output ?? ""
        let base = name.output.1 ?? name.output.2 ?? "init"
        return elements(of: line[line.index(after: start)...]).compactMap { parameter in
            let label = parameter.prefixMatch(of: #/(\w+)( \w+)?: /#)
            let type = (label.map { parameter[$0.range.upperBound...] } ?? parameter[...])
                .replacing("Clock<Duration>", with: "").replacing(#/ = .*/#, with: "")
            let isNumeric = type.split { !$0.isLetter && !$0.isNumber }.contains { numbers.contains(String($0)) }
            return isNumeric && label?.output.1 != "line" ? "\(owner).\(base) \(label?.output.1 ?? "_")" : nil
        }
    }

    /// The texts between the commas of a list, up to the parenthesis that closes it.
    private static func elements(of text: Substring) -> [String] {
        var (elements, depth, last) = ([""], 1, Character(" "))
        for character in text {
            if "([<".contains(character) { depth += 1 }
            if ")]".contains(character) || character == ">" && last != "-" { depth -= 1 }
            if depth == 0 { break }
            last = character
            if depth == 1, character == "," {
                elements.append("")
            } else if character != " " || elements.last != "" {
                elements[elements.count - 1].append(character)
            }
        }
        return elements
    }
}
