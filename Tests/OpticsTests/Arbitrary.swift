import PropertyTesting

struct Refusal: Error, Equatable {}

/// A type with a generator of arbitrary values.
protocol Arbitrary: Equatable, Sendable {
    static var gen: Gen<Self> { get }
}

extension Int: Arbitrary {
    /// Small numbers, so that two of them are often equal.
    static var gen: Gen<Int> { .int(in: -3...3) }
}

extension String: Arbitrary {
    static var gen: Gen<String> {
        Gen.frequency(
            (3, .element(of: ["", "a", "b", "a string that is too long to be stored in place"])), (1, .string))
    }
}

extension Optional: Arbitrary where Wrapped: Arbitrary {
    static var gen: Gen<Wrapped?> { Wrapped.gen.optional }
}

extension Array: Arbitrary where Element: Arbitrary {
    static var gen: Gen<[Element]> { Element.gen.array(0...4) }
}

extension Dictionary: Arbitrary where Key: Arbitrary, Value: Arbitrary {
    static var gen: Gen<[Key: Value]> { Key.gen.dictionary(of: Value.gen, 0...4) }
}

extension Refusal: Arbitrary {
    static var gen: Gen<Refusal> { .always(Refusal()) }
}

extension Result: Arbitrary where Success: Arbitrary, Failure: Arbitrary {
    static var gen: Gen<Result> { .oneOf(Success.gen.map(Result.success), Failure.gen.map(Result.failure)) }
}
