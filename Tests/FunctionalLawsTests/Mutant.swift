import PropertyTesting

/// A broken implementation, and the laws that must catch it.
struct Mutant: Sendable {
    let name: String
    /// The name of the enum of the laws.
    let kit: String
    /// The names of the laws that must catch the mutant.
    let expected: [String]
    /// The name and the property of each law that is checked.
    let laws: [(name: String, property: Property)]

    init<Law: CaseIterable & Hashable & Sendable>(
        _ name: String, _ expected: Set<Law>, among laws: [Law] = Array(Law.allCases), _ property: (Law) -> Property
    ) {
        self.name = name
        self.kit = "\(Law.self)"
        self.expected = Law.allCases.filter(expected.contains).map { "\($0)" }
        self.laws = laws.map { ("\($0)", property($0)) }
    }

    /// Returns the laws that do not hold for the mutant. A law with too few relevant inputs does not count.
    func caughtBy() async -> [String] {
        var caught: [String] = []
        for law in laws {
            switch await law.property.falsify(settings: .init(cases: 60, seed: 1, shrinkTries: 0))?.reason {
            case .failed, .flaky: caught.append(law.name)
            case .discarded, .notCovered, .cancelled, nil: break
            }
        }
        return caught
    }
}
