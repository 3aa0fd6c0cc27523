import PropertyTesting
import Testing

/// A broken instance, and the laws that must not hold for it.
struct Mutant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The name of the enum of the laws.
    let kit: String
    /// The name and the property of each law that must not hold.
    let laws: [(name: String, property: Property)]
    /// The counterexample of the first law, if the test expects a text.
    let counterexample: String?

    init<Law: Sendable>(
        _ description: String, _ laws: [Law], counterexample: String? = nil, _ property: (Law) -> Property
    ) {
        testDescription = description
        kit = "\(Law.self)"
        self.laws = laws.map { ("\($0)", property($0)) }
        self.counterexample = counterexample
    }

    static let all =
        OpticMutants.all + MonoidMutants.all + ReducerMutants.all + WidenMutants.all + CombineMutants.all
        + TextMutants.all
}
