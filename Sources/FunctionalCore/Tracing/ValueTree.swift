/// A value as a tree of its parts: what a trace records of a state.
///
/// The tree shows what reflection shows. It is the same in every process, because sets and dictionaries are sorted. A tree
/// of a very large or very deep value is bounded, and says how many parts it leaves out.
///
/// ```swift
/// let title = record.state?["feed"]?["posts"]?.parts.first?.value["title"]
/// ```
public struct ValueTree: Sendable, Hashable {
    /// What the parts are.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A value without parts. Its name is its text as source code, so a string is in quotes. `…` stands for a value
        /// that is left out.
        case value
        /// The properties of a struct, an object or a tuple. The name is that of the type, and empty for a tuple.
        case fields
        /// The associated values of a case of an enum. The name is that of the case. A single value without a label has
        /// this name as its label.
        case enumCase = "case"
        /// The elements of a collection. They have no labels.
        case elements
        /// The members of a set, in the order of their texts. Their labels are their texts.
        case members
        /// The values of a dictionary. Their labels are the texts of the keys, in the order of these texts.
        case entries
    }

    /// A part and its label. The label of an element is empty.
    public struct Part: Sendable, Hashable {
        /// The name of a property or the text of a key, for example. Empty for an element.
        public let label: String
        /// The part.
        public let value: ValueTree

        package init(_ label: String, _ value: ValueTree) { (self.label, self.value) = (label, value) }
    }

    /// What the parts are.
    public let kind: Kind
    /// The name of the type or the case, or the text of a value without parts. Empty for collections and tuples.
    public let name: String
    /// The parts, in order.
    public let parts: [Part]
    /// How many parts are left out, after the others.
    public let more: Int

    package init(_ kind: Kind, _ name: String = "", _ parts: [Part] = [], more: Int = 0) {
        (self.kind, self.name, self.parts, self.more) = (kind, name, parts, more)
    }

    /// The first part with a label, or `nil`.
    public subscript(label: String) -> ValueTree? { parts.first { $0.label == label }?.value }
}

extension ValueTree: CustomStringConvertible {
    /// The value as a text that resembles source code.
    public var description: String {
        switch kind {
        case .value: name
        case .fields: "\(name)(\(text))"
        case .enumCase: ".\(name)(\(text))"
        case .elements, .members: "[\(text)]"
        case .entries: parts.isEmpty && more == 0 ? "[:]" : "[\(text)]"
        }
    }

    private var text: String {
        let texts = parts.map { part in hasText(part.label) ? "\(part.label): \(part.value)" : "\(part.value)" }
        return (texts + (more > 0 ? ["…"] : [])).joined(separator: ", ")
    }

    private func hasText(_ label: String) -> Bool {
        switch kind {
        case .value, .elements, .members: false
        case .fields: !label.isEmpty && Int(label) == nil
        case .enumCase: label != name && !label.isEmpty && Int(label) == nil
        case .entries: true
        }
    }
}

/// A change of a part of a state, as a trace records it.
///
/// A state after a change is the state before it with its changes applied, one after the other. A path leads from the
/// whole state to the part: the labels of parts, and the indices of elements.
public struct ValueChange: Sendable, Hashable {
    /// A step to a part of a value.
    public enum Step: Sendable, Hashable {
        /// To the part with a label. A member of a set has its text, and an entry of a dictionary the text of its key.
        case label(String)
        /// To an element of a collection.
        case index(Int)
    }

    /// The way from the whole state to the part. Empty if the state as a whole was replaced.
    public let path: [Step]
    /// The part before the change, or `nil` if it is inserted.
    public let from: ValueTree?
    /// The part after the change, or `nil` if it is removed.
    public let to: ValueTree?

    package init(_ path: [Step], from: ValueTree?, to: ValueTree?) {
        (self.path, self.from, self.to) = (path, from, to)
    }
}

extension ValueTree {
    /// Returns the tree after a change. A change of a part that is left out changes only the number of these parts.
    ///
    /// - Returns: `nil` if the tree does not have the part, so it is not the tree before the change.
    /// - Complexity: O(n) in the number of parts of the values on the path.
    public func applying(_ change: ValueChange) -> ValueTree? {
        applying(change, change.path[...])
    }

    private func applying(_ change: ValueChange, _ path: ArraySlice<ValueChange.Step>) -> ValueTree? {
        guard let step = path.first else { return change.to }
        let place: Int?
        let label: String
        switch step {
        case .index(let index):
            guard kind == .elements, index >= 0, index <= parts.count + more else { return nil }
            (place, label) = (index, "")
        case .label(let name):
            guard kind != .elements, kind != .value else { return nil }
            (place, label) = (parts.firstIndex { $0.label == name }, name)
        }
        let isInserted = path.count == 1 && change.from == nil
        if isInserted {
            guard let value = change.to, kind != .fields, kind != .enumCase else { return nil }
            let isSorted = kind == .members || kind == .entries
            let index = isSorted ? parts.firstIndex { label < $0.label } ?? parts.count : place ?? 0
            if isSorted, place != nil { return nil }
            // The new part is left out if parts before it are.
            if index >= parts.count, more > 0 { return with(more: more + 1) }
            return with { $0.insert(Part(label, value), at: index) }
        }
        guard let place, place < parts.count else {
            if more == 0 || kind == .fields || kind == .enumCase { return nil }
            return path.count == 1 && change.to == nil ? with(more: more - 1) : self
        }
        if path.count == 1, change.to == nil {
            return kind == .fields || kind == .enumCase ? nil : with { $0.remove(at: place) }
        }
        guard let value = parts[place].value.applying(change, path.dropFirst()) else { return nil }
        return with { $0[place] = Part($0[place].label, value) }
    }

    private func with(more: Int? = nil, _ change: (inout [Part]) -> Void = { _ in }) -> ValueTree {
        var parts = parts
        change(&parts)
        return ValueTree(kind, name, parts, more: more ?? self.more)
    }
}

// MARK: - Coding

extension ValueTree: Codable {
    private enum Key: String, CodingKey {
        case type
        case enumCase = "case"
        case elements, members, entries, parts, more
    }

    /// A value without parts is a string. Another is an object: `{"type": "Feed", "parts": [["title", "\"a\""]]}` of
    /// fields, `{"case": …, "parts": …}` of a case, `{"elements": […]}`, `{"members": […]}` or `{"entries": [["1", "2"]]}`,
    /// and `"more"` if parts are left out.
    public func encode(to encoder: any Encoder) throws {
        if kind == .value {
            var container = encoder.singleValueContainer()
            return try container.encode(name)
        }
        var container = encoder.container(keyedBy: Key.self)
        if more > 0 { try container.encode(more, forKey: .more) }
        switch kind {
        case .value: break
        case .fields, .enumCase:
            try container.encode(name, forKey: kind == .fields ? .type : .enumCase)
            try container.encode(parts, forKey: .parts)
        case .elements: try container.encode(parts.map(\.value), forKey: .elements)
        case .members: try container.encode(parts.map(\.value), forKey: .members)
        case .entries: try container.encode(parts, forKey: .entries)
        }
    }

    /// Decodes what `encode(to:)` writes. Throws for a tree that is deeper than any that is written.
    public init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        // The text of a set contains those of the sets in it, so sets in sets would multiply their texts.
        guard path.count <= 200, path.count(where: { $0.stringValue == Key.members.rawValue }) <= 8 else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "The value is too deep."))
        }
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(.value, text)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        // Changes add to it.
        let more = min(max(0, try container.decodeIfPresent(Int.self, forKey: .more) ?? 0), 1 << 52)
        if let values = try container.decodeIfPresent([ValueTree].self, forKey: .elements) {
            self.init(.elements, "", values.map { Part("", $0) }, more: more)
        } else if let values = try container.decodeIfPresent([ValueTree].self, forKey: .members) {
            self.init(.members, "", values.map { Part("\($0)", $0) }, more: more)
        } else if let entries = try container.decodeIfPresent([Part].self, forKey: .entries) {
            self.init(.entries, "", entries, more: more)
        } else {
            let parts = try container.decode([Part].self, forKey: .parts)
            if let name = try container.decodeIfPresent(String.self, forKey: .enumCase) {
                self.init(.enumCase, name, parts, more: more)
            } else {
                self.init(.fields, try container.decode(String.self, forKey: .type), parts, more: more)
            }
        }
    }
}

extension ValueTree.Part: Codable {
    /// An array of the label and the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(label)
        try container.encode(value)
    }

    /// Decodes what `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (label, value) = (try container.decode(String.self), try container.decode(ValueTree.self))
    }
}

extension ValueChange: Codable {}

extension ValueChange.Step: Codable {
    /// A label is a string, and an index is a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .label(let label): try container.encode(label)
        case .index(let index): try container.encode(index)
        }
    }

    /// Decodes what `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if let index = try? container.decode(Int.self) { .index(index) } else {
                .label(try container.decode(String.self))
            }
    }
}
