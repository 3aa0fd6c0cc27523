/// The runtime metadata of a type, read from the same places as the standard library's `Mirror` reads it.
///
/// This file contains all offsets within metadata.
///
/// Unchecked: `address` is the metadata of a type, which is immutable and lives as long as the process. Each load is at
/// an offset that the metadata of this kind of type has. On Apple's platforms, the ABI fixes the offsets. On other
/// platforms, they are those of the compiler that compiles the library. `MetadataCheck` compares them with known types
/// before any other type is read. The loads need no alignment, so that it can compare what a wrong offset leads to.
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
        Kind(rawValue: address.loadUnaligned(as: UInt.self))
    }

    var isEnum: Bool {
        kind == .enumeration || kind == .optional
    }

    /// The value-witness table. Its address is stored one word before the metadata.
    var valueWitnesses: UnsafeRawPointer {
        address.loadUnaligned(fromByteOffset: -Self.word, as: UnsafeRawPointer.self)
    }

    /// The size of a value in bytes, which the table stores after eight functions.
    var size: Int {
        valueWitnesses.loadUnaligned(fromByteOffset: 8 * Self.word, as: Int.self)
    }

    /// The flags, which the table stores after the size and the stride. The lowest byte is the alignment, less one.
    var flags: UInt32 {
        valueWitnesses.loadUnaligned(fromByteOffset: 10 * Self.word, as: UInt32.self)
    }

    /// The functions that the compiler generates for an enum: one reads the tag, and two convert between value and
    /// payload.
    ///
    /// `nil` for an enum imported from C, whose value-witness table ends before these functions.
    ///
    /// If the flags say so, the functions follow the flags and another field of four bytes.
    var enumWitnesses: (tag: UnsafeRawPointer, project: UnsafeRawPointer, inject: UnsafeRawPointer)? {
        guard flags & 0x20_0000 != 0 else { return nil }
        let functions = valueWitnesses + 11 * Self.word
        return (
            functions.loadUnaligned(as: UnsafeRawPointer.self),
            functions.loadUnaligned(fromByteOffset: Self.word, as: UnsafeRawPointer.self),
            functions.loadUnaligned(fromByteOffset: 2 * Self.word, as: UnsafeRawPointer.self)
        )
    }

    /// The number of elements of a tuple, which is stored after the kind.
    var tupleCount: Int {
        address.loadUnaligned(fromByteOffset: Self.word, as: Int.self)
    }

    /// The types of a tuple's elements, or `nil` if the type is not a tuple.
    ///
    /// The metadata contains the kind, the number of elements and the labels, and then a type and an offset for each
    /// element. Each of these takes one word.
    var tupleElements: [Any.Type]? {
        guard kind == .tuple else { return nil }
        return (0..<tupleCount).map { index in
            address.loadUnaligned(fromByteOffset: (3 + 2 * index) * Self.word, as: (Any.Type).self)
        }
    }

    /// The wrapped type of an optional, or `nil` if the type is not an optional.
    var wrapped: (Any.Type)? {
        kind == .optional ? genericArguments.loadUnaligned(as: (Any.Type).self) : nil
    }

    /// The descriptor of a nominal type, which is stored after the kind.
    var descriptor: UnsafeRawPointer {
        address.loadUnaligned(fromByteOffset: Self.word, as: UnsafeRawPointer.self)
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
        Int(descriptor.loadUnaligned(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    }

    var plainCaseCount: Int {
        Int(descriptor.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
    }

    /// The records of the cases in the order of their tags, or `nil` if the enum was compiled without reflection
    /// metadata.
    var caseRecords: CaseRecords? {
        Self.target(of: descriptor + 16).map { CaseRecords(address: $0) }
    }

    /// The cases of the enum in the order of their tags, or `nil` if it was compiled without reflection metadata.
    var cases: [EnumLayout.Case]? {
        guard let records = caseRecords, records.count == payloadCaseCount + plainCaseCount else { return nil }
        return (0..<records.count).map { index in
            EnumLayout.Case(
                name: records.name(index).map { String(cString: $0) } ?? "case \(index)",
                payload: records.payload(index).flatMap(type(named:)),
                isIndirect: records.flags(index) & 1 != 0
            )
        }
    }

    /// The records of an enum's cases, at the address of their header.
    struct CaseRecords {
        let address: UnsafeRawPointer

        var count: Int {
            Int(address.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        }

        /// The size of one record in bytes.
        var size: Int {
            Int(address.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
        }

        private func record(_ index: Int) -> UnsafeRawPointer {
            address + 16 + index * size
        }

        /// The flags of a case. The lowest bit is set if the case is indirect.
        func flags(_ index: Int) -> UInt32 {
            record(index).loadUnaligned(as: UInt32.self)
        }

        /// The mangled name of the payload's type, or `nil` if the case has no payload.
        func payload(_ index: Int) -> UnsafePointer<UInt8>? {
            TypeMetadata.target(of: record(index) + 4)?.assumingMemoryBound(to: UInt8.self)
        }

        func name(_ index: Int) -> UnsafePointer<UInt8>? {
            TypeMetadata.target(of: record(index) + 8)?.assumingMemoryBound(to: UInt8.self)
        }
    }

    /// Returns the address that a relative pointer refers to, or `nil`. The pointer contains a distance, which is 0 for
    /// null.
    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.loadUnaligned(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// Returns the type with this mangled name, resolved with the generic arguments of the enum.
    private func type(named name: UnsafePointer<UInt8>) -> (Any.Type)? {
        _getTypeByMangledNameInContext(
            name,
            UInt(Self.length(ofMangled: name)),
            genericContext: descriptor,
            genericArguments: genericArguments
        )
    }

    /// Returns the length of a mangled name.
    ///
    /// The name ends with a zero byte. A byte below 0x20 precedes a pointer of four bytes or one word, which may
    /// contain zero bytes.
    static func length(ofMangled name: UnsafePointer<UInt8>) -> Int {
        var length = 0
        while true {
            switch name[length] {
            case 0: return length
            case 0x01...0x17: length += 1 + 4
            case 0x18...0x1F: length += 1 + word
            default: length += 1
            }
        }
    }
}
