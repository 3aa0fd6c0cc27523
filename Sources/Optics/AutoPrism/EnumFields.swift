/// The cases of an enum in the order of their tags, read from its reflection metadata.
struct EnumFields {
    let cases: [EnumLayout.Case]
    let payloadCount: Int

    /// Reads the cases of an enum. Returns `nil` if the enum was compiled without reflection metadata.
    init?(_ metadata: TypeMetadata) {
        let descriptor = metadata.descriptor
        guard let fields = Self.target(of: descriptor + 16) else { return nil }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        payloadCount = EnumFields.payloadCount(descriptor)
        guard count == payloadCount + EnumFields.emptyCount(descriptor) else { return nil }
        let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        cases = (0..<count).map { index in
            let record = fields + 16 + index * recordSize
            let isIndirect = record.load(as: UInt32.self) & 1 != 0
            let payload = Self.target(of: record + 4).flatMap { Self.type(named: $0, in: metadata) }
            let name = Self.target(of: record + 8).map {
                String(cString: $0.assumingMemoryBound(to: UInt8.self))
            }
            return EnumLayout.Case(name: name ?? "case \(index)", payload: payload, isIndirect: isIndirect)
        }
    }

    /// Returns whether an enum has no cases. `metadata` must be the metadata of an enum.
    static func areEmpty(_ metadata: TypeMetadata) -> Bool {
        payloadCount(metadata.descriptor) == 0 && emptyCount(metadata.descriptor) == 0
    }

    /// Returns the number of cases with a payload. The upper byte of the field contains something else.
    private static func payloadCount(_ descriptor: UnsafeRawPointer) -> Int {
        Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    }

    private static func emptyCount(_ descriptor: UnsafeRawPointer) -> Int {
        Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    }

    /// Returns the address that a relative pointer refers to, or `nil`. The pointer contains a distance, which is 0 for
    /// null.
    private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = pointer.load(as: Int32.self)
        return distance == 0 ? nil : pointer + Int(distance)
    }

    /// Returns the type with this mangled name, resolved with the generic arguments of the enum.
    private static func type(named name: UnsafeRawPointer, in metadata: TypeMetadata) -> (Any.Type)? {
        _getTypeByMangledNameInContext(
            name.assumingMemoryBound(to: UInt8.self),
            UInt(length(ofMangled: name)),
            genericContext: metadata.descriptor,
            genericArguments: metadata.genericArguments
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
            case 0x18...0x1F: length += 1 + TypeMetadata.word
            default: length += 1
            }
        }
    }
}
