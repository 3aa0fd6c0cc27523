import PropertyTesting

/// Something broken, and the laws that should notice.
struct Mutant: Sendable {
    let name: String
    /// The enum of the laws.
    let kit: String
    /// The laws that are there to notice.
    let expected: [String]
    /// Each law that is tried, by name, and its property.
    let laws: [(name: String, property: Property)]

    init<Law: CaseIterable & Hashable & Sendable>(
        _ name: String, _ expected: Set<Law>, among laws: [Law] = Array(Law.allCases), _ property: (Law) -> Property
    ) {
        self.name = name
        self.kit = "\(Law.self)"
        self.expected = Law.allCases.filter(expected.contains).map { "\($0)" }
        self.laws = laws.map { ("\($0)", property($0)) }
    }

    /// The laws that do not hold for it. That too few inputs were to the point is no such finding.
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
