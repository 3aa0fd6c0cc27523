/// The runtime metadata of a type, read from the same places as the standard library's `Mirror` reads it.
///
/// This file contains all offsets within metadata.
///
/// On Apple's platforms, the ABI fixes the offsets. On other platforms, they are those of the compiler that compiles
/// the library. `MetadataCheck` compares them with known types before any other type is read.
struct TypeMetadata {
    enum Kind: UInt {
        case enumeration = 0x201
        case optional = 0x202
        case tuple = 0x301
        case function = 0x302
        case metatype = 0x304
        case existentialMetatype = 0x306
    }

    typealias EnumWitnesses = (tag: MetadataAddress, project: MetadataAddress, inject: MetadataAddress)

    static let word = MemoryLayout<Int>.size

    let type: Any.Type

    init(_ type: Any.Type) {
        self.type = type
    }

    /// The address of the metadata. An existential metatype of `Any` is one word, which contains this address.
    var address: MetadataAddress {
        unsafe unsafeBitCast(type, to: MetadataAddress.self)
    }

    /// The kind of the type, or `nil` if this library does not use the kind. The first word of a class's metadata is
    /// not a kind.
    var kind: Kind? {
        Kind(rawValue: address.loadUnaligned(as: UInt.self))
    }

    var isEnum: Bool {
        kind == .enumeration || kind == .optional
    }

    /// The value-witness table. Its address is stored one word before the metadata.
    var valueWitnesses: MetadataAddress {
        address.loadUnaligned(fromByteOffset: -Self.word, as: MetadataAddress.self)
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
    /// `nil` for a type that is not an enum, and for an enum imported from C: their value-witness tables end before
    /// these functions.
    ///
    /// If the flag `0x20_0000` is set, the table contains these functions, after the flags and a field of four bytes.
    var enumWitnesses: EnumWitnesses? {
        guard flags & 0x20_0000 != 0 else { return nil }
        let functions = valueWitnesses + 11 * Self.word
        return (
            functions.loadUnaligned(as: MetadataAddress.self),
            functions.loadUnaligned(fromByteOffset: Self.word, as: MetadataAddress.self),
            functions.loadUnaligned(fromByteOffset: 2 * Self.word, as: MetadataAddress.self)
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

    /// The descriptor of a struct or an enum, which is stored after the kind.
    var descriptor: MetadataAddress {
        address.loadUnaligned(fromByteOffset: Self.word, as: MetadataAddress.self)
    }

    /// The arguments of a generic struct or enum, which are stored after the descriptor.
    private var genericArguments: MetadataAddress {
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

    /// Returns whether both types are the same, apart from the labels of tuples.
    ///
    /// A tuple with one element is treated as that element.
    func hasSameLayout(as other: TypeMetadata) -> Bool {
        if type == other.type { return true }
        let (mine, its) = (tupleElements, other.tupleElements)
        if let mine, mine.count == 1 { return TypeMetadata(mine[0]).hasSameLayout(as: other) }
        if let its, its.count == 1 { return hasSameLayout(as: TypeMetadata(its[0])) }
        guard let mine, let its, mine.count == its.count else { return false }
        return zip(mine, its).allSatisfy { TypeMetadata($0).hasSameLayout(as: TypeMetadata($1)) }
    }

    /// Whether a value of this type, whose size must be zero, can exist, as far as the metadata shows.
    ///
    /// An enum without cases has no values, and neither has a tuple with such an element. Structs are assumed to have a
    /// value.
    var hasEmptyValue: Bool {
        if let elements = tupleElements { return elements.allSatisfy { TypeMetadata($0).hasEmptyValue } }
        return !isEnum || size > 0 || payloadCaseCount + plainCaseCount > 0
    }
}

/// The reflection metadata of an enum, which its descriptor refers to.
extension TypeMetadata {
    /// The number of cases with a payload. The upper byte of the field is not a part of this number.
    var payloadCaseCount: Int {
        Int(descriptor.loadUnaligned(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    }

    var plainCaseCount: Int {
        Int(descriptor.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
    }

    /// The records of the cases in the order of their tags, or `nil` if the enum was compiled without reflection
    /// metadata.
    var caseRecords: CaseRecords? {
        (descriptor + 16).target.map { CaseRecords(address: $0) }
    }

    /// The cases of the enum in the order of their tags, or `nil` if it was compiled without reflection metadata, or
    /// if the number of records is not the number of cases.
    var cases: [EnumLayout.Case]? {
        guard let records = caseRecords, records.count == payloadCaseCount + plainCaseCount else { return nil }
        return (0..<records.count).map { index in
            EnumLayout.Case(
                name: records.name(index)?.text ?? "case \(index)",
                payload: records.payload(index).flatMap(type(named:)),
                isIndirect: records.flags(index) & 1 != 0
            )
        }
    }

    /// The records of an enum's cases, at the address of their header.
    struct CaseRecords {
        let address: MetadataAddress

        var count: Int {
            Int(address.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        }

        /// The size of one record in bytes.
        var size: Int {
            Int(address.loadUnaligned(fromByteOffset: 10, as: UInt16.self))
        }

        private func record(_ index: Int) -> MetadataAddress {
            address + 16 + index * size
        }

        /// The flags of a case. The lowest bit is set if the case is indirect.
        func flags(_ index: Int) -> UInt32 {
            record(index).loadUnaligned(as: UInt32.self)
        }

        /// The mangled name of the payload's type, or `nil` if the case has no payload.
        func payload(_ index: Int) -> MetadataAddress? {
            (record(index) + 4).target
        }

        func name(_ index: Int) -> MetadataAddress? {
            (record(index) + 8).target
        }
    }

    /// Returns the type with this mangled name, resolved with the generic arguments of the enum. Returns `nil` if the
    /// runtime cannot resolve the name.
    private func type(named name: MetadataAddress) -> (Any.Type)? {
        unsafe _getTypeByMangledNameInContext(
            name.pointer.assumingMemoryBound(to: UInt8.self),
            UInt(name.mangledLength),
            genericContext: descriptor.pointer,
            genericArguments: genericArguments.pointer
        )
    }
}

/// An address within metadata, or of a function that metadata refers to.
///
/// Unchecked: metadata is immutable, and lives as long as the process. Only this file reads at an address, and only at
/// offsets that the metadata there has. The loads need no alignment, so that `MetadataCheck` can load from a misaligned
/// address if an offset is wrong.
@safe
struct MetadataAddress {
    fileprivate let pointer: UnsafeRawPointer

    var bits: Int { unsafe Int(bitPattern: pointer) }

    /// The text at this address, which ends with a zero byte.
    var text: String {
        unsafe String(cString: pointer.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns whether these bytes are at this address. Compares bytes until they differ, and reads no further.
    func begins(with bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { byte($0) == bytes[$0] }
    }

    /// The length of the mangled name at this address.
    ///
    /// The name ends with a zero byte. A byte below 0x20 precedes a pointer of four bytes or one word, which may
    /// contain zero bytes.
    var mangledLength: Int {
        var length = 0
        while true {
            switch byte(length) {
            case 0: return length
            case 0x01...0x17: length += 1 + 4
            case 0x18...0x1F: length += 1 + TypeMetadata.word
            default: length += 1
            }
        }
    }

    /// The address that the relative pointer at this address refers to, or `nil` if the pointer is null. The pointer
    /// contains a distance, which is 0 for null.
    fileprivate var target: MetadataAddress? {
        let distance = loadUnaligned(as: Int32.self)
        return distance == 0 ? nil : self + Int(distance)
    }

    private func byte(_ offset: Int) -> UInt8 {
        loadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }

    fileprivate func loadUnaligned<Value: BitwiseCopyable>(fromByteOffset offset: Int = 0, as type: Value.Type) -> Value
    {
        unsafe pointer.loadUnaligned(fromByteOffset: offset, as: type)
    }

    fileprivate static func + (address: MetadataAddress, offset: Int) -> MetadataAddress {
        unsafe MetadataAddress(pointer: address.pointer + offset)
    }
}
