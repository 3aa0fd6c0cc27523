/// An enum's own functions: which case a value is, and the way between a value and its payload.
struct EnumWitnesses {
    let tag: UnsafeRawPointer
    let project: UnsafeRawPointer
    let inject: UnsafeRawPointer

    /// `nil` for an enum imported from C, which has none: reading on would give whatever lies behind.
    ///
    /// A table is eight functions, size and stride, a word of flags beside one of another kind, each of four bytes;
    /// then, if the flags say so, the three functions of an enum.
    init?(_ metadata: TypeMetadata) {
        let table = metadata.valueWitnesses
        let flagsOffset = 10 * TypeMetadata.word
        let hasEnumWitnesses: UInt32 = 0x20_0000
        guard table.load(fromByteOffset: flagsOffset, as: UInt32.self) & hasEnumWitnesses != 0 else { return nil }
        let first = flagsOffset + 8
        tag = table.load(fromByteOffset: first, as: UnsafeRawPointer.self)
        project = table.load(fromByteOffset: first + TypeMetadata.word, as: UnsafeRawPointer.self)
        inject = table.load(fromByteOffset: first + 2 * TypeMetadata.word, as: UnsafeRawPointer.self)
    }
}
