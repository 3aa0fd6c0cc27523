/// The runtime metadata of a type, read from the same places as the standard library's `Mirror` reads it.
///
/// This file contains all offsets within metadata.
///
/// Unchecked: `address` is the metadata of a type, which is immutable and lives as long as the process. Each load is at
/// an offset that the metadata of this kind of type has. On Apple's platforms, the ABI fixes the offsets. On other
/// platforms, the library and the compiler are of the same version, and the table of shapes in the tests checks the
/// offsets on each toolchain.
struct TypeMetadata {
    enum Kind: UInt {
        case enumeration = 0x201
        case optional = 0x202
        case tuple = 0x301
        case function = 0x302
        case metatype = 0x304
        case existentialMetatype = 0x306
    }

    fileprivate static let word = MemoryLayout<Int>.size

    let type: Any.Type

    init(_ type: Any.Type) {
        self.type = type
    }

    /// The address of the metadata. An existential metatype of `Any` is one word, which contains this address.
    var address: UnsafeRawPointer {
        unsafeBitCast(type, to: UnsafeRawPointer.self)
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
    private var valueWitnesses: UnsafeRawPointer {
        address.load(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    }

    /// The size of a value in bytes, which the table stores after eight functions.
    var size: Int {
        valueWitnesses.load(fromByteOffset: 8 * Self.word, as: Int.self)
    }

    /// The functions that the compiler generates for an enum: one reads the tag, and two convert between value and
    /// payload.
    ///
    /// `nil` for an enum imported from C, whose value-witness table ends before these functions.
    ///
    /// A value-witness table contains eight functions, the size, the stride, and two fields of four bytes, the first of
    /// which is the flags. If the flags say so, the three functions of an enum follow.
    var enumWitnesses: (tag: UnsafeRawPointer, project: UnsafeRawPointer, inject: UnsafeRawPointer)? {
        let flagsOffset = 10 * Self.word
        let hasEnumWitnesses: UInt32 = 0x20_0000
        guard valueWitnesses.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0 else {
            return nil
        }
        let functions = valueWitnesses + flagsOffset + 8
        return (
            functions.load(as: UnsafeRawPointer.self),
            functions.load(fromByteOffset: Self.word, as: UnsafeRawPointer.self),
            functions.load(fromByteOffset: 2 * Self.word, as: UnsafeRawPointer.self)
        )
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

    /// The descriptor of a nominal type, which is stored after the kind.
    private var descriptor: UnsafeRawPointer {
        address.load(fromByteOffset: Self.word, as: UnsafeRawPointer.self)
    }

    /// The arguments of a generic nominal type, which are stored after the descriptor.
    private var genericArguments: UnsafeRawPointer {
        address + 2 * Self.word
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
        if type == other.type { return true }
        let (mine, its) = (tupleElements, other.tupleElements)
        if let mine, mine.count == 1 { return TypeMetadata(mine[0]).hasSameLayout(as: other) }
        if let its, its.count == 1 { return hasSameLayout(as: TypeMetadata(its[0])) }
        guard let mine, let its, mine.count == its.count else { return false }
        return zip(mine, its).allSatisfy { TypeMetadata($0).hasSameLayout(as: TypeMetadata($1)) }
    }

    /// Whether a value of this type, whose size is zero, can exist, as far as its metadata shows.
    ///
    /// An enum without cases has no values, nor has a tuple with such an element. Structs are assumed to have one.
    var hasEmptyValue: Bool {
        if let elements = tupleElements { return elements.allSatisfy { TypeMetadata($0).hasEmptyValue } }
        return !isEnum || size > 0 || payloadCaseCount + plainCaseCount > 0
    }
}

/// The reflection metadata of an enum, which its descriptor refers to.
extension TypeMetadata {
    /// The number of cases with a payload. The upper byte of the field contains something else.
    var payloadCaseCount: Int {
        Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    }

    private var plainCaseCount: Int {
        Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    }

    /// The cases of the enum in the order of their tags, or `nil` if it was compiled without reflection metadata.
    var cases: [EnumLayout.Case]? {
        guard let fields = Self.target(of: descriptor + 16) else { return nil }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        guard count == payloadCaseCount + plainCaseCount else { return nil }
        let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        return (0..<count).map { index in
            let record = fields + 16 + index * recordSize
            let name = Self.target(of: record + 8).map { String(cString: $0.assumingMemoryBound(to: UInt8.self)) }
            return EnumLayout.Case(
                name: name ?? "case \(index)",
                payload: Self.target(of: record + 4).flatMap(type(named:)),
                isIndirect: record.load(as: UInt32.self) & 1 != 0
            )
        }
    }

    /// Returns the address that a relative pointer refers to, or `nil`. The pointer contains a distance, which is 0 for
    /// null.
    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// Returns the type with this mangled name, resolved with the generic arguments of the enum.
    private func type(named name: UnsafeRawPointer) -> (Any.Type)? {
        _getTypeByMangledNameInContext(
            name.assumingMemoryBound(to: UInt8.self),
            UInt(Self.length(ofMangled: name)),
            genericContext: descriptor,
            genericArguments: genericArguments
        )
    }

    /// Returns the length of a mangled name.
    ///
    /// The name ends with a zero byte. A byte below 0x20 precedes a pointer of four bytes or one word, which may
    /// contain zero bytes.
    private static func length(ofMangled name: UnsafeRawPointer) -> Int {
        var length = 0
        while true {
            switch name.load(fromByteOffset: length, as: UInt8.self) {
            case 0: return length
            case 0x01...0x17: length += 1 + 4
            case 0x18...0x1F: length += 1 + word
            default: length += 1
            }
        }
    }
}
