import FunctionalCore
import PropertyTesting

/// Compares the two sides of a law, and says what they are when they differ.
package struct Verdict: Sendable {
    let law: String

    package init(law: String) { self.law = law }

    /// - Parameter place: What was asked, if the counterexample does not say so.
    package func same<Value>(
        _ left: Value, _ right: Value, at place: @autoclosure () -> String? = nil, by isEqual: (Value, Value) -> Bool
    ) throws(Unmet) {
        guard !isEqual(left, right) else { return }
        let (first, second) = Verdict.texts(of: left, right)
        let place = place().map { "\($0)\n    " } ?? ""
        throw broken("\(place)left:  \(first)\n    right: \(second)")
    }

    package func same<Value: Equatable>(_ left: Value, _ right: Value) throws(Unmet) {
        try same(left, right, by: ==)
    }

    package func that(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Unmet) {
        guard condition else { throw broken(otherwise()) }
    }

    /// Calls `body`, and throws what it throws. If an optic breaks a rule for which it traps elsewhere, reports that
    /// instead.
    nonisolated(nonsending) func reportingTraps(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        let errors = Locked<[String]>([])
        var thrown: (any Error)?
        await Reporting.$recoveredErrors.withValue(errors) {
            do { try await body() } catch { thrown = error }
        }
        if let first = errors.withLock({ $0.first }) { throw broken("Outside of a law, the optic traps: \(first)") }
        if let thrown { throw thrown }
    }

    /// Both values as text. Where both read alike and are made of other scalars, the scalars are escaped.
    static func texts(of left: Any, _ right: Any) -> (left: String, right: String) {
        let (left, right) = (described(left), described(right))
        guard left == right, !left.unicodeScalars.elementsEqual(right.unicodeScalars) else { return (left, right) }
        func escaped(_ text: String) -> String {
            text.unicodeScalars.map { $0.isASCII ? "\($0)" : "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
                .joined()
        }
        return (escaped(left), escaped(right))
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
