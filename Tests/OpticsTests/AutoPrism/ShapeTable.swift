import Optics
import Testing

/// The values of one enum, one for each case, and what went wrong with its prisms.
struct ShapeTable<Whole> {
    private let values: [Whole]
    private var problems: [String] = []

    init(_ values: [Whole]) {
        self.values = values
    }

    /// Checks the prism `make` makes against every value: it must match the one at `index` and no other. A fresh prism
    /// for each order of first uses, since the first use is when it learns.
    mutating func check<Part>(_ index: Int, _ part: Part, _ make: () -> Prism<Whole, Part>) {
        for order in FirstUse.allCases {
            let prism = make()
            switch order {
            case .hit: _ = prism.extract(values[index])
            case .embed: _ = prism.embed(part)
            case .misses: for (other, value) in values.enumerated() where other != index { _ = prism.matches(value) }
            case .routing: for value in values { _ = accepts(prism, value) }
            case .modify:
                var copy = values[index]
                prism.modify(&copy) { _ in }
            }
            for _ in 0..<2 { checkAll(index, part, prism, "\(order) first") }
        }
    }

    func finish() -> [String] { problems }

    private mutating func checkAll<Part>(_ index: Int, _ part: Part, _ prism: Prism<Whole, Part>, _ context: String) {
        let expected = describe(part)
        for (other, value) in values.enumerated() {
            let found = prism.extract(value).map(describe)
            note(found == (other == index ? expected : nil), "\(context), value \(other): extracts \(found ?? "nil")")
            note(prism.matches(value) == (other == index), "\(context), value \(other): matches")
            note(accepts(prism, value) == (other == index), "\(context), value \(other): accepts")
        }
        let embedded = prism.embed(part)
        note(prism.extract(embedded).map(describe) == expected, "\(context): extracts what it embeds")
        note(describe(embedded) == describe(values[index]), "\(context): embeds \(describe(embedded))")
        for (other, value) in values.enumerated() {
            var changed = value
            let seen = prism.modify(&changed) { current in
                let before = describe(current)
                current = part
                return before
            }
            note(seen == (other == index ? expected : nil), "\(context), value \(other): modify sees \(seen ?? "nil")")
            note(describe(changed) == describe(value), "\(context), value \(other): modify leaves \(describe(changed))")
        }
    }

    private func accepts<Part>(_ prism: Prism<Whole, Part>, _ value: Whole) -> Bool {
        guard let routing = prism.routing else { return false }
        let tag = routing.tag(of: value)
        return (0..<routing.tagCount).contains(tag) && routing.accepts(value, tag: tag)
    }

    private mutating func note(_ holds: Bool, _ problem: String) {
        if !holds { problems.append(problem) }
    }

    private func describe<Value>(_ value: Value) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}

private enum FirstUse: CaseIterable {
    case hit, embed, misses, routing, modify
}

/// One row of the table of shapes.
struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    /// What is wrong; empty when all is well.
    let problems: @Sendable () -> [String]

    var testDescription: String { name }

    init<Whole>(
        _ name: String,
        _ type: Whole.Type,
        _ values: @escaping @Sendable @autoclosure () -> [Whole],
        _ check: @escaping @Sendable (inout ShapeTable<Whole>) -> Void
    ) {
        self.name = name
        problems = {
            var table = ShapeTable(values())
            check(&table)
            return table.finish()
        }
    }
}
