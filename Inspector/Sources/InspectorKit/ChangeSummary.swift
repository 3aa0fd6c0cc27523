import FunctionalCore

/// What a change has changed, in one line. Each part begins with its path: `results[0].name: "swift-nio" → "swallow"`,
/// `orders: + Order(number: 1002)`.
///
/// The first change of each field of the state comes before further changes of a field.
struct ChangeSummary {
    /// How many changes the line contains, and how long a path and a value are.
    private static let shownChanges = 4
    private static let maximumPath = 80
    private static let maximumValue = 60

    /// The line. Empty if there are no changes.
    let text: String

    init(_ changes: [ValueChange]) {
        var seen: Set<ValueChange.Step?> = []
        var (first, rest): ([ValueChange], [ValueChange]) = ([], [])
        for change in changes {
            if seen.insert(change.path.first).inserted { first.append(change) } else { rest.append(change) }
        }
        var texts = (first + rest).prefix(Self.shownChanges).map(Self.text)
        if changes.count > texts.count { texts.append("… and \(grouped(changes.count - texts.count)) more") }
        text = texts.joined(separator: ", ")
    }

    private static func text(of change: ValueChange) -> String {
        let (from, to) = (change.from.map { "\($0)" }, change.to.map { "\($0)" })
        var path = change.path[...]
        // The value says which element or which member of a set it is.
        if from == nil || to == nil {
            switch path.last {
            case .index: path.removeLast()
            case .label(let label) where label == from ?? to: path.removeLast()
            default: break
            }
        }
        let values =
            switch (from, to) {
            case (let from?, let to?): "\(cut(from, maximumValue)) → \(cut(to, maximumValue))"
            case (let from?, nil): "− \(cut(from, maximumValue))"
            case (nil, let to): "+ \(cut(to ?? "", maximumValue))"
            }
        return path.isEmpty ? values : "\(cut(text(of: path), maximumPath)): \(values)"
    }

    private static func text(of path: ArraySlice<ValueChange.Step>) -> String {
        path.reduce("") { text, step in
            switch step {
            case .index(let index): "\(text)[\(index)]"
            case .label(let label) where label.isName: text.isEmpty ? label : "\(text).\(label)"
            case .label(let label): "\(text)[\(label)]"
            }
        }
    }

    private static func cut(_ text: String, _ length: Int) -> String {
        let beginning = text.prefix(length)
        return beginning.endIndex < text.endIndex ? "\(beginning)…" : text
    }
}

extension String {
    /// Whether the text is a label, as that of a property, and not the text of a key.
    fileprivate var isName: Bool {
        unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
            && first?.isNumber == false
    }
}
