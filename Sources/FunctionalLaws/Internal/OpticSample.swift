import PropertyTesting

/// What a law of an optic is tried on.
struct OpticSample<Whole, Part: Sendable>: CustomStringConvertible {
    let whole: Whole
    /// The same whole, made apart from it: shows whether a copy changed that should not.
    let twin: Whole
    let part: Part
    let other: Part
    let firstChange: GeneratedFunction<Part, Part>
    let secondChange: GeneratedFunction<Part, Part>

    func change(_ part: inout Part) { part = firstChange(part) }
    func second(_ part: inout Part) { part = secondChange(part) }

    static func gen(_ whole: Gen<Whole>, _ part: Gen<Part>) -> Gen<OpticSample> {
        Gen.zip(whole.twins, part, part, part.function(of: Part.self), part.function(of: Part.self)).map {
            OpticSample(whole: $0.0, twin: $0.1, part: $1, other: $2, firstChange: $3, secondChange: $4)
        }
    }

    var description: String {
        """
        whole \(described(whole)), parts \(described(part)) and \(described(other)), changes \(firstChange) and \
        \(secondChange)
        """
    }
}
