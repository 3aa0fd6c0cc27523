import Optics
import Testing

/// The values of one enum, one for each case, and the problems that were found in its prisms.
///
/// `Whole` is not constrained to `AutoPrism`: Swift 6.3 crashes when it instantiates a generic type over a protocol
/// that `Optional` conforms to in another module than the protocol's.
struct ShapeTable<Whole: SendableMetatype> {
    private let values: [Whole]
    private var problems = Problems()

    init(_ values: [Whole]) {
        self.values = values
    }

    /// Checks that the prism that `make` returns matches the value at `index` and no other value.
    ///
    /// A prism inspects its case at its first use. Each kind of first use therefore gets a new prism. `initialize`
    /// writes `part` field by field if the padding between its fields matters.
    mutating func check<Part>(
        _ index: Int, _ part: Part, initialize: ((UnsafeMutablePointer<Part>) -> Void)? = nil,
        _ make: () -> Prism<Whole, Part>
    ) {
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
            for _ in 0..<2 { checkAll(index, part, prism, order) }
        }
        let source = DirtyMemory<Part> { address in
            if let initialize { initialize(address) } else { address.initialize(to: part) }
        }
        for path in WritePath.allCases {
            checkWrite(index, source, make(), path, "specialized") { path.write($0, to: &$1, $2) }
            checkWrite(index, source, make(), path, "unspecialized") { path.writeUnspecialized($0, to: &$1, $2) }
        }
    }

    func finish() -> [String] { problems.lines }

    private mutating func checkAll<Part>(_ index: Int, _ part: Part, _ prism: Prism<Whole, Part>, _ order: FirstUse) {
        let expected = describe(part)
        for (other, value) in values.enumerated() {
            let isCase = other == index
            let found = prism.extract(value).map(describe)
            problems.note(found == (isCase ? expected : nil), order, other, "extracts", found)
            problems.note(prism.matches(value) == isCase, order, other, "matches")
            problems.note(accepts(prism, value) == isCase, order, other, "accepts")
        }
        let embedded = prism.embed(part)
        problems.note(prism.extract(embedded).map(describe) == expected, order, nil, "extracts what it embeds")
        let made = describe(embedded)
        problems.note(made == describe(values[index]), order, nil, "embeds", made)
        for (other, value) in values.enumerated() {
            var changed = value
            let seen = prism.modify(&changed) { current in
                let before = describe(current)
                current = part
                return before
            }
            problems.note(seen == (other == index ? expected : nil), order, other, "modify sees", seen)
            let left = describe(changed)
            problems.note(left == describe(value), order, other, "modify leaves", left)
        }
    }

    /// Overwrites a part with an equal part. Each value must keep its case and its payload.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private mutating func checkWrite<Part>(
        _ index: Int, _ source: DirtyMemory<Part>, _ prism: Prism<Whole, Part>, _ path: WritePath,
        _ form: StaticString, _ write: (DirtyMemory<Part>, inout Whole, Prism<Whole, Part>) -> Void
    ) {
        for (other, value) in values.enumerated() {
            var changed = value
            write(source, &changed, prism)
            // An invalid tag would crash `describe`.
            let isSameCase = tag(prism, changed) == tag(prism, value)
            problems.note(isSameCase, path, other, form, isSameCase ? "" : "changes the case")
            guard isSameCase else { continue }
            let left = describe(changed)
            problems.note(left == describe(value), path, other, form, left)
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func tag<Part>(_ prism: Prism<Whole, Part>, _ value: Whole) -> Int? {
        prism.routing.map { $0.tag(of: value) }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private func accepts<Part>(_ prism: Prism<Whole, Part>, _ value: Whole) -> Bool {
        guard let routing = prism.routing else { return false }
        let tag = routing.tag(of: value)
        return (0..<routing.tagCount).contains(tag) && routing.accepts(value, tag: tag)
    }
}

/// The problems that were found so far. Not generic and never inlined, because `ShapeTable` is compiled for each of a
/// hundred types.
private struct Problems {
    private(set) var lines: [String] = []

    @inline(never)
    mutating func note(
        _ holds: Bool, _ step: Any, _ value: Int?, _ what: StaticString, _ found: String? = ""
    ) {
        if holds { return }
        lines.append("\(type(of: step)) \(step)\(value.map { ", value \($0)" } ?? ""): \(what) \(found ?? "nil")")
    }
}

@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
private func describe<Value>(_ value: Value) -> String {
    var text = ""
    dump(value, to: &text)
    return text
}

private enum FirstUse: CaseIterable {
    case hit, embed, misses, routing, modify
}

/// One row of the table of shapes.
struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    /// Returns the problems that were found, or an empty array.
    let problems: @Sendable () -> [String]

    var testDescription: String { name }

    init<Whole: SendableMetatype>(
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
