import ArchitectureTesting
import Effects
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Synchronization
import Testing
import VirtualTime

private typealias Parameter = LimitTests.Parameter

private struct Ask: Action {}

private let numbers = Gen.int(in: 0...9)

/// Returns "passed" if a property of one case holds, and why it does not hold otherwise.
private func result(_ found: Falsified?) -> String {
    found.map { "\($0.reason)" } ?? "passed"
}

private func generated<Value>(_ generator: Gen<Value>) async -> String {
    result(await falsify(generator, settings: PropertySettings(cases: 1, seed: 1)) { _ in })
}

extension LimitTests {
    static let programCounts = [
        limit("Sequence.parTraverse", "[1, 2]") { limit in
            [1, 2].parTraverse(limit: limit) { EnvIO<Void, Never, Int>.pure($0) }
        },
        limit("Sequence.parSequence", "[1, 2]") { limit in
            [1, 2].map { EnvIO<Void, Never, Int>.pure($0) }.parSequence(limit: limit)
        },
        limit("TraversalProtocol.parTraverse", "[2, 3]") { limit in
            Traversal<[Int], Int>.each.parTraverse([1, 2], limit: limit) { EnvIO<Void, Never, Int>.pure($0 + 1) }
        },
        Parameter(
            "Schedule.recurs _", .trap("recurs(-1) is not valid: a count must not be negative."), .is("0"), .is("3")
        ) { extreme in "\(Schedule<Int>.recurs(extreme.count).delays(for: 1...3).count)" },
        Parameter(
            "Schedule.exponential factor",
            .trap("factor: -1.0) is not valid: a factor must be finite and not negative."),
            .is("0.0 seconds"), .is("3153600000.0 seconds")
        ) { extreme in
            "\(Schedule<Int>.exponential(base: .seconds(1), factor: Double(extreme.count)).delays(for: 1...3)[2])"
        },
        Parameter(
            "Schedule.jittered by", .trap("jittered(by: -1.0...0.0) is not valid: a factor must be finite and not"),
            .is("true"), .is("true")
        ) { extreme in
            let factors = Double(extreme.counts.lowerBound)...Double(extreme.counts.upperBound)
            let delay = Schedule<Int>.spaced(.seconds(1)).jittered(by: factors).delays(for: 1...1)[0]
            return "\(delay == .zero || extreme == .largest)"
        },
    ]

    private static func limit(
        _ name: String, _ result: String, _ program: @escaping @Sendable (Int) -> EnvIO<Void, Never, [Int]>
    ) -> Parameter {
        Parameter("\(name) limit", nil, .trap("parTraverse was called with a limit of 0"), .is(result)) { extreme in
            "\(try await program(extreme.count).run(()))"
        }
    }

    static let generatorCounts = [
        Parameter("Gen.array _", tooFew, .is("passed"), tooMany) { await generated(numbers.array($0.counts)) },
        Parameter("Gen.set _", tooFew, .is("passed"), tooMany) { await generated(numbers.set($0.counts)) },
        Parameter("Gen.dictionary _", tooFew, .is("passed"), tooMany) { extreme in
            await generated(numbers.dictionary(of: numbers, extreme.counts))
        },
        Parameter("Gen.string _", tooFew, .is("passed"), tooMany) { extreme in
            await generated(Gen.string(of: .always("a"), extreme.counts))
        },
        Parameter(
            "Gen.frequency _", .is("passed"), .is("passed"),
            .trap("The sum of the weights of Gen.frequency exceeds Int.max. To fix, pass smaller weights.")
        ) { extreme in await generated(Gen.frequency((extreme.count, numbers), (1, numbers))) },
    ]

    private static let tooFew = Expected.trap("A collection cannot have -1...0 elements.")
    private static let tooMany = Expected.trap(
        "A collection cannot have 0...\(Int.max) elements. To fix, pass counts from")

    private static let stack = StatefulProperty<Int, Int, Int, Int>(
        model: 0, system: { 0 }, expected: { command, _ in command }, actual: { command, _ in command })

    static let testCounts = [
        // A list without commands tries nothing.
        Parameter(
            "StatefulProperty.falsify count", tooFew, .is("discarded(ran: 0, discarded: 1)"), tooMany
        ) { extreme in
            result(await stack.falsify(commands: numbers, count: extreme.counts, settings: PropertySettings(cases: 1)))
        },
        Parameter(
            "StatefulProperty.falsify branches", .trap("The argument branches received -1. To fix, pass 0 to 100."),
            .is("passed"), .trap("The argument branches received \(Int.max). To fix, pass 0 to 100.")
        ) { extreme in
            let settings = PropertySettings(cases: 1)
            return result(await stack.falsify(interleaved: numbers, branches: extreme.count, settings: settings))
        },
        Parameter(
            ".forAll branches", .trap("The argument branches received -1."), .is("passed"),
            .trap("The argument branches received \(Int.max).")
        ) { extreme in
            await forAll(interleaved: numbers, branches: extreme.count, of: stack)
            return "passed"
        },
        Parameter(".forAllOrders limit", nil, .trap("A limit of 0 orders tries none"), .is("1")) { extreme in
            "\(await forAllOrders(limit: extreme.count) { _ in })"
        },
        Parameter("Trait.cases _", nil, .trap(".cases(0) tries no input, so every property would pass."), .is("true")) {
            extreme in
            "\(PropertyTrait.cases(extreme.count).isRecursive)"
        },
        Parameter(
            "PropertySettings.init cases", .trap("A property with -1 cases tries no input and always passes."),
            .trap("A property with 0 cases tries no input"), .is("failed")
        ) { extreme in
            let settings = PropertySettings(cases: extreme.count)
            return await falsify(numbers, settings: settings) { _ in throw Unmet("") }.map { _ in "failed" } ?? "passed"
        },
        Parameter(
            "PropertySettings.init shrinkTries",
            .trap("PropertySettings.shrinkTries received -1. To fix, pass 0 or more."),
            .is("not shrunk"), .is("shrunk")
        ) { extreme in
            let settings = PropertySettings(cases: 1, seed: 1, shrinkTries: extreme.count)
            let found = await falsify(Gen.int(in: 0...1_000_000), settings: settings) { _ in throw Unmet("") }
            return found?.counterexample == "0" ? "shrunk" : "not shrunk"
        },
        Parameter("PropertySettings.init shrinkTime", .is("not shrunk"), .is("not shrunk"), .is("shrunk")) { extreme in
            let settings = PropertySettings(cases: 1, seed: 1, shrinkTime: extreme.duration)
            let found = await falsify(Gen.int(in: 0...1_000_000), settings: settings) { _ in throw Unmet("") }
            return found?.counterexample == "0" ? "shrunk" : "not shrunk"
        },
        Parameter(
            "PropertySettings.init confidence",
            .trap("PropertySettings.confidence received -1. To fix, pass 1 or more."),
            .trap("PropertySettings.confidence received 0. To fix, pass 1 or more."), .is("passed")
        ) { extreme in
            result(await falsify(numbers, settings: PropertySettings(confidence: extreme.count)) { _ in })
        },
        Parameter(
            "Trait.checkCoverage confidence", .trap("The argument confidence received -1. To fix, pass 1 or more."),
            .trap("The argument confidence received 0. To fix, pass 1 or more."), .is("true")
        ) { extreme in
            "\(PropertyTrait.checkCoverage(confidence: extreme.count).isRecursive)"
        },
        Parameter(".classify atLeast", tooSmallAShare, .is("passed"), tooLargeAShare) { extreme in
            classify(true, "label", atLeast: Double(extreme.count))
            return "passed"
        },
        share("AffineLaw") { share in
            let affine = Affine<Int, Int>.identity
            return AffineLaw.allCases[0].property(of: affine, whole: numbers, part: numbers, atLeast: share)
        },
        share("FoldLaw") { share in
            let fold = Fold<Int, Int>.identity
            return FoldLaw.allCases[0].property(of: fold, whole: numbers, part: numbers, atLeast: share)
        },
        share("PrismLaw") { share in
            let prism = Prism<Int, Int>.identity
            return PrismLaw.allCases[0].property(of: prism, whole: numbers, part: numbers, atLeast: share)
        },
        share("TraversalLaw") { share in
            let traversal = Traversal<Int, Int>.identity
            return TraversalLaw.allCases[0].property(of: traversal, whole: numbers, part: numbers, atLeast: share)
        },
        Parameter(
            "EffectRunner.run expecting", .trap("run(_:expecting:) received -1. To fix, pass 0 or more."), .is("0"),
            .is("1")
        ) { extreme in
            let runner = EffectRunner(Effect<Void> { $0.prefix(extreme == .zero ? 0 : 1) })
            let emitted = Mutex(0)
            withKnownIssue(isIntermittent: true) {
                let count = runner.run(Ask(), expecting: extreme.count).count
                emitted.withLock { $0 = count }
            }
            return "\(emitted.withLock { $0 })"
        },
    ]

    private static func share(_ law: String, _ property: @escaping @Sendable (Double) -> Property) -> Parameter {
        Parameter("\(law).property atLeast", tooSmallAShare, .is("passed"), tooLargeAShare) { extreme in
            result(await property(Double(extreme.count)).falsify())
        }
    }

    private static let tooSmallAShare = Expected.trap(
        "must have at least the share -1.0. To fix, pass a share from 0 to 1.")
    private static let tooLargeAShare = Expected.trap("must have at least the share 9.2")
}
