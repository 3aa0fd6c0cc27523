import PropertyTesting

/// How many parts and changes a law of an optic is tried on, and whether it needs the whole twice.
///
/// Only what a law looks at is generated: a part may be as large as the whole.
struct OpticNeeds {
    var parts = 0
    var changes = 0
    var twin = false
}

/// What a law of an optic is tried on.
struct OpticSample<Whole, Part: Sendable>: CustomStringConvertible {
    let whole: Whole
    /// The same whole, made apart from it: shows whether a copy changed that should not.
    let twin: Whole?
    let parts: [Part]
    let changes: [GeneratedFunction<Part, Part>]

    var part: Part { parts[0] }
    var other: Part { parts[1] }
    var firstChange: GeneratedFunction<Part, Part> { changes[0] }

    func change(_ part: inout Part) { part = changes[0](part) }
    func second(_ part: inout Part) { part = changes[1](part) }

    static func gen(_ whole: Gen<Whole>, _ part: Gen<Part>, _ needs: OpticNeeds) -> Gen<OpticSample> {
        let wholes: Gen<(Whole, Whole?)> = needs.twin ? whole.twins.map { ($0, $1) } : whole.map { ($0, nil) }
        let parts = part.array(needs.parts...needs.parts)
        // A function has up to six outputs, and looks at the text of each part that it changes.
        let changes = part.resized { ($0 + 1) / 2 }.function(of: Part.self)
            .array(needs.changes...needs.changes)
        return Gen.zip(wholes, parts, changes).map {
            OpticSample(whole: $0.0, twin: $0.1, parts: $1, changes: $2)
        }
    }

    var description: String {
        let lists = [
            ["whole \(described(whole))"], list("part", parts.map { described($0) }),
            list("change", changes.map { "\($0)" }),
        ]
        return lists.flatMap { $0 }.joined(separator: ", ")
    }

    private func list(_ name: String, _ texts: [String]) -> [String] {
        texts.isEmpty ? [] : ["\(name)\(texts.count == 1 ? "" : "s") \(texts.joined(separator: " and "))"]
    }
}
