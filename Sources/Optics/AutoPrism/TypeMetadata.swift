/// What the runtime knows about a type, read where the standard library's own `Mirror` reads it.
///
/// Invariant of everything here: `address` is a type's metadata, which is immutable and lives as long as the process.
/// The offsets are frozen on Apple's platforms; elsewhere library and compiler match, and the table of shapes in the
/// tests checks them on each toolchain.
struct TypeMetadata {
    enum Kind: UInt {
        case enumeration = 0x201
        case optional = 0x202
        case tuple = 0x301
        case function = 0x302
        case metatype = 0x304
        case existentialMetatype = 0x306
    }

    static let word = MemoryLayout<Int>.size

    let type: Any.Type
    let address: UnsafeRawPointer

    init(_ type: Any.Type) {
        self.type = type
        // An existential metatype of `Any` is one word: the address of the metadata.
        self.address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// The kinds that matter here; `nil` for all others, classes included, whose first word is something else.
    var kind: Kind? {
        Kind(rawValue: address.load(as: UInt.self))
    }

    var isEnum: Bool {
        kind == .enumeration || kind == .optional
    }

    /// The value-witness table, one word before the address of every type's metadata.
    var valueWitnesses: UnsafeRawPointer {
        address.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    }

    /// How many bytes a value takes: behind eight functions in the table.
    var size: Int {
        valueWitnesses.load(fromByteOffset: 8 * Self.word, as: Int.self)
    }

    /// Whether this is an enum that has no values.
    var isEnumWithoutCases: Bool {
        isEnum && size == 0 && EnumFields.areEmpty(self)
    }

    /// Whether a value of this type, which takes no room, can exist, as far as the type tells.
    ///
    /// A tuple of an enum without cases has no values. Of structs only those without fields are known to have one.
    var hasEmptyValue: Bool {
        if let elements = tupleElements { return elements.allSatisfy { TypeMetadata($0).hasEmptyValue } }
        if isEnum { return !isEnumWithoutCases }
        return true
    }

    /// The descriptor of a nominal type, after the kind.
    var descriptor: UnsafeRawPointer {
        address.load(fromByteOffset: Self.word, as: UnsafeRawPointer.self)
    }

    /// The arguments of a generic nominal type, after the descriptor.
    var genericArguments: UnsafeRawPointer {
        address + 2 * Self.word
    }

    /// The types of a tuple's elements, or `nil` for what is no tuple: kind, count and labels, then a type and an
    /// offset for each element, two words together.
    var tupleElements: [Any.Type]? {
        guard kind == .tuple else { return nil }
        let count = address.load(fromByteOffset: Self.word, as: Int.self)
        return (0..<count).map { index in
            address.load(fromByteOffset: (3 + 2 * index) * Self.word, as: (Any.Type).self)
        }
    }

    /// The type an optional is of, or `nil` for what is no optional.
    var wrapped: (Any.Type)? {
        kind == .optional ? genericArguments.load(as: (Any.Type).self) : nil
    }
}

extension TypeMetadata {
    /// Whether a payload of this type is laid out otherwise in an enum than where its type alone is known.
    ///
    /// Functions are: an enum stores them with their own calling convention, generic code expects the most general one.
    /// Metatypes are: `Int.Type` takes no room in an enum. In a tuple or an optional both still are; in a struct or as
    /// argument of another generic type they are not.
    var dependsOnAbstraction: Bool {
        switch kind {
        case .function, .metatype, .existentialMetatype: true
        case .tuple: tupleElements?.contains { TypeMetadata($0).dependsOnAbstraction } ?? false
        case .optional: wrapped.map { TypeMetadata($0).dependsOnAbstraction } ?? false
        case .enumeration, nil: false
        }
    }

    /// Whether both are laid out the same as payloads: labels of tuples count for nothing, a tuple of one is its
    /// element.
    func hasSameLayout(as other: TypeMetadata) -> Bool {
        let (mine, its) = (tupleElements, other.tupleElements)
        if type == other.type { return true }
        if let mine, mine.count == 1 { return TypeMetadata(mine[0]).hasSameLayout(as: other) }
        if let its, its.count == 1 { return hasSameLayout(as: TypeMetadata(its[0])) }
        guard let mine, let its, mine.count == its.count else { return false }
        return zip(mine, its).allSatisfy { TypeMetadata($0).hasSameLayout(as: TypeMetadata($1)) }
    }
}
