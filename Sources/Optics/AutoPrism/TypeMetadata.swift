/// The runtime metadata of a type, read from the same places as the standard library's `Mirror` reads it.
///
/// Invariant of all members: `address` is the metadata of a type, which is immutable and lives as long as the process.
/// On Apple's platforms, the ABI fixes the offsets. On other platforms, the library and the compiler are of the same
/// version, and the table of shapes in the tests checks the offsets on each toolchain.
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

    /// The kind of the type, if it is one of those used here, or `nil`. The first word of a class's metadata is not a
    /// kind.
    var kind: Kind? {
        Kind(rawValue: address.load(as: UInt.self))
    }

    var isEnum: Bool {
        kind == .enumeration || kind == .optional
    }

    /// The value-witness table. Its address is stored one word before the metadata.
    var valueWitnesses: UnsafeRawPointer {
        address.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    }

    /// The size of a value in bytes, which the table stores after eight functions.
    var size: Int {
        valueWitnesses.load(fromByteOffset: 8 * Self.word, as: Int.self)
    }

    /// Whether this is an enum without cases, which has no values.
    var isEnumWithoutCases: Bool {
        isEnum && size == 0 && EnumFields.areEmpty(self)
    }

    /// Whether a value of this type, whose size is zero, can exist, as far as its metadata shows.
    ///
    /// A tuple with an element that is an enum without cases has no values. Structs are assumed to have one.
    var hasEmptyValue: Bool {
        if let elements = tupleElements { return elements.allSatisfy { TypeMetadata($0).hasEmptyValue } }
        if isEnum { return !isEnumWithoutCases }
        return true
    }

    /// The descriptor of a nominal type, which is stored after the kind.
    var descriptor: UnsafeRawPointer {
        address.load(fromByteOffset: Self.word, as: UnsafeRawPointer.self)
    }

    /// The arguments of a generic nominal type, which are stored after the descriptor.
    var genericArguments: UnsafeRawPointer {
        address + 2 * Self.word
    }

    /// The types of a tuple's elements, or `nil` if the type is not a tuple.
    ///
    /// The metadata contains the kind, the number of elements and the labels, and then a type and an offset for each
    /// element. Each of these takes one word.
    var tupleElements: [Any.Type]? {
        guard kind == .tuple else { return nil }
        let count = address.load(fromByteOffset: Self.word, as: Int.self)
        return (0..<count).map { index in
            address.load(fromByteOffset: (3 + 2 * index) * Self.word, as: (Any.Type).self)
        }
    }

    /// The wrapped type of an optional, or `nil` if the type is not an optional.
    var wrapped: (Any.Type)? {
        kind == .optional ? genericArguments.load(as: (Any.Type).self) : nil
    }
}

extension TypeMetadata {
    /// Whether an enum stores a payload of this type in another representation than generic code expects.
    ///
    /// An enum stores a function with its own calling convention, while generic code expects the most general one. It
    /// stores a metatype such as `Int.Type` in no bytes, while generic code expects a pointer. The result is also
    /// `true` for tuples and optionals that contain a function or a metatype, but not for structs and other generic
    /// types.
    var dependsOnAbstraction: Bool {
        switch kind {
        case .function, .metatype, .existentialMetatype: true
        case .tuple: tupleElements?.contains { TypeMetadata($0).dependsOnAbstraction } ?? false
        case .optional: wrapped.map { TypeMetadata($0).dependsOnAbstraction } ?? false
        case .enumeration, nil: false
        }
    }

    /// Returns whether both types have the same layout as payloads.
    ///
    /// Labels of tuples do not matter, and a tuple with one element is treated as that element.
    func hasSameLayout(as other: TypeMetadata) -> Bool {
        let (mine, its) = (tupleElements, other.tupleElements)
        if type == other.type { return true }
        if let mine, mine.count == 1 { return TypeMetadata(mine[0]).hasSameLayout(as: other) }
        if let its, its.count == 1 { return hasSameLayout(as: TypeMetadata(its[0])) }
        guard let mine, let its, mine.count == its.count else { return false }
        return zip(mine, its).allSatisfy { TypeMetadata($0).hasSameLayout(as: TypeMetadata($1)) }
    }
}
