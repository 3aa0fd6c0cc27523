import PropertyTesting

/// Compares the two sides of a law, and says what they are when they differ.
struct Verdict: Sendable {
    let law: String

    func same<Value>(
        _ left: Value, _ right: Value, by isEqual: (Value, Value) -> Bool
    ) throws(Unmet) {
        guard !isEqual(left, right) else { return }
        throw broken("left:  \(described(left))\n    right: \(described(right))")
    }

    func same<Value: Equatable>(_ left: Value, _ right: Value) throws(Unmet) {
        try same(left, right, by: ==)
    }

    func that(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Unmet) {
        guard condition else { throw broken(otherwise()) }
    }

    private func broken(_ text: String) -> Unmet {
        Unmet("The law does not hold: \(law)\n    \(text)")
    }
}

/// What changes throw that are to be refused.
struct Refusal: Error, Equatable {}

func same<Value>(_ left: Value?, _ right: Value?, _ isEqual: (Value, Value) -> Bool) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): isEqual(left, right)
    default: false
    }
}
