import TestSupport

/// What a law is tried on.
struct Sample<Whole, Part> {
    var whole: Whole
    var part: Part
    var other: Part
    var change: (inout Part) -> Void
    var second: (inout Part) -> Void
}

struct Refusal: Error, Equatable {}

/// A type of which tests make arbitrary values.
protocol Arbitrary: Equatable {
    static func arbitrary(_ random: inout SeededGenerator) -> Self
}

extension Arbitrary {
    /// A change that depends on the value it finds, and on chance.
    static func arbitraryChange(_ random: inout SeededGenerator) -> (inout Self) -> Void {
        let (first, second) = (arbitrary(&random), arbitrary(&random))
        return { $0 = $0 == first ? second : first }
    }
}

extension Sample where Whole: Arbitrary, Part: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> Sample {
        Sample(
            whole: .arbitrary(&random),
            part: .arbitrary(&random),
            other: .arbitrary(&random),
            change: Part.arbitraryChange(&random),
            second: Part.arbitraryChange(&random)
        )
    }

    /// Many samples; the same ones each time.
    static var many: [Sample] {
        var random = SeededGenerator(seed: 20_260_101)
        return (0..<300).map { _ in arbitrary(&random) }
    }
}

extension Int: Arbitrary {
    /// Small numbers, so that equal ones meet.
    static func arbitrary(_ random: inout SeededGenerator) -> Int { .random(in: -3...3, using: &random) }
}

extension Bool: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> Bool { .random(using: &random) }
}

extension String: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> String {
        ["", "a", "b", "a string that is too long to be stored in place"].randomElement(using: &random)!
    }
}

extension Optional: Arbitrary where Wrapped: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> Wrapped? {
        Int.random(in: 0..<3, using: &random) == 0 ? nil : .some(.arbitrary(&random))
    }
}

extension Array: Arbitrary where Element: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> [Element] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in .arbitrary(&random) }
    }
}

extension Dictionary: Arbitrary where Key: Arbitrary, Value: Arbitrary {
    static func arbitrary(_ random: inout SeededGenerator) -> [Key: Value] {
        var dictionary: [Key: Value] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            dictionary[.arbitrary(&random)] = .arbitrary(&random)
        }
        return dictionary
    }
}
