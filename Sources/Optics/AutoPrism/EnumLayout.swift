import FunctionalCore

/// The layout of the values of one enum type: its cases, and the functions that the compiler generates for the enum.
@usableFromInline
final class EnumLayout: Sendable {
    struct Case {
        var name: String
        /// `nil` if the case has no payload, if the payload is always empty, or if its type cannot be resolved.
        var payload: (Any.Type)?
        var isIndirect: Bool
    }

    private typealias Project = @Sendable @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @Sendable @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    private static let known = Locked<[ObjectIdentifier: EnumLayout]>([:])

    /// The cases in the order of their tags.
    let cases: [Case]
    /// The number of cases with a payload. Their tags are less than this number, and those of other cases are not.
    let payloadCount: Int
    let tag: EnumTag
    private let projectWitness: Project
    private let injectWitness: Inject

    /// Returns the layout of `type`, which is read once.
    ///
    /// - Throws: The reason if `type` is not supported.
    static func of(_ type: Any.Type) throws(AutoPrismRefusal) -> EnumLayout {
        if let layout = known.withLock({ $0[ObjectIdentifier(type)] }) { return layout }
        #if _ptrauth(_arm64e)
            throw .signedPointers
        #else
            // Not under the lock, which the check does not take either.
            guard MetadataCheck.hasPassed else { throw .unknownMetadata }
            let layout = try EnumLayout(unchecked: type)
            known.withLock { $0[ObjectIdentifier(type)] = layout }
            return layout
        #endif
    }

    /// Reads the layout of `type`, even if `MetadataCheck` has not passed.
    init(unchecked type: Any.Type) throws(AutoPrismRefusal) {
        let metadata = TypeMetadata(type)
        guard metadata.isEnum else { throw .notAnEnum }
        guard let witnesses = metadata.enumWitnesses else { throw .importedFromC }
        guard let cases = metadata.cases else { throw .noReflectionMetadata }
        self.cases = cases
        payloadCount = metadata.payloadCaseCount
        // Unchecked: the layout of a value-witness table says that these are C functions with these parameters.
        projectWitness = unsafeBitCast(witnesses.project, to: Project.self)
        injectWitness = unsafeBitCast(witnesses.inject, to: Inject.self)
        // Unchecked: as above.
        let tagWitness = unsafeBitCast(witnesses.tag, to: EnumTag.Witness.self)
        // An enum with one case has no tag to read.
        let onlyOneCase: EnumTag.Witness = { _, _ in 0 }
        tag = EnumTag(type: type, witness: cases.count > 1 ? tagWitness : onlyOneCase)
    }

    /// Replaces the value at `address` by its payload, in place.
    ///
    /// The value must be of a case with a payload. Until `inject` has been called or the payload has been moved out, no
    /// other code may access it.
    @usableFromInline
    func project(_ address: UnsafeMutableRawPointer) {
        projectWitness(address, tag.metadata)
    }

    /// Replaces the payload at `address` by a value of the case `tag`, in place.
    @usableFromInline
    func inject(_ address: UnsafeMutableRawPointer, _ tag: Int) {
        injectWitness(address, UInt32(tag), self.tag.metadata)
    }

    /// Returns the payload of an indirect case, which is stored in a box after a header of two words.
    ///
    /// - Parameter payload: The address of the projected value, which contains the address of the box.
    @inlinable
    static func boxed<Part>(_ payload: UnsafeRawPointer, as: Part.Type) -> Part {
        let alignment = MemoryLayout<Part>.alignment
        let offset = (2 * MemoryLayout<Int>.size + alignment - 1) & ~(alignment - 1)
        return payload.load(as: UnsafeRawPointer.self).load(fromByteOffset: offset, as: Part.self)
    }

    /// Returns the tags of the cases whose payload has the layout of `part`.
    ///
    /// Returns no tags if the size of `part` is 0, in which case `part` has no values. Throws if no case matches.
    func candidates(carrying part: TypeMetadata) throws(AutoPrismRefusal) -> [Int] {
        guard part.size > 0 else { return [] }
        let candidates = cases.indices.prefix(payloadCount).filter { index in
            cases[index].payload.map { TypeMetadata($0).hasSameLayout(as: part) } ?? false
        }
        guard candidates.isEmpty else { return candidates }
        let carried = cases.prefix(payloadCount).map { each in
            "\(each.name) \(each.payload.map { "\($0)" } ?? "something unknown")"
        }
        throw .noCase(carrying: "\(part.type)", cases: carried)
    }

    /// Returns whether the payload of the case `tag` has a size of zero, or the case has no payload.
    func isEmpty(_ tag: Int) -> Bool {
        tag >= payloadCount || cases[tag].payload.map { TypeMetadata($0).size == 0 } ?? false
    }

    /// Returns the name of the case `tag`, for messages.
    func name(_ tag: Int) -> String {
        cases.indices.contains(tag) ? cases[tag].name : "case \(tag)"
    }
}

/// Reads the tag of an enum's value, which identifies its case.
///
/// Tags are counted from 0. Cases with a payload come first, then cases without. Within each group, the tags follow the
/// order of declaration. A payload that is known to be empty when the enum is compiled, such as `Void`, counts as none.
///
/// Unchecked: `witness` is the function of the enum `type`, or returns 0 if the enum has one case. The caller passes
/// the address of a value of this enum.
@usableFromInline
struct EnumTag: Sendable {
    @usableFromInline typealias Witness = @Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    @usableFromInline let type: Any.Type
    @usableFromInline let witness: Witness

    init(type: Any.Type, witness: @escaping Witness) {
        self.type = type
        self.witness = witness
    }

    /// The address of the enum's metadata.
    @inlinable
    var metadata: UnsafeRawPointer {
        // Unchecked: an existential metatype of `Any` is one word, which contains this address.
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Returns the tag of the value at `address`, which must be a value of the enum. The value is neither copied nor
    /// retained.
    @inlinable
    func callAsFunction(at address: UnsafeRawPointer) -> Int {
        Int(truncatingIfNeeded: witness(address, metadata))
    }

    /// Returns the tag of `whole`, which must be a value of the enum.
    @inlinable
    func callAsFunction<Whole>(of whole: Whole) -> Int {
        withUnsafePointer(to: whole) { self(at: $0) }
    }
}
