/// The layout of the values of one enum type: its cases, and the functions that the compiler generates for the enum.
///
/// There is one for each type. Invariant: the instance is immutable, and everything that it points to lives as long as
/// the process. The layout is therefore `Sendable`.
@usableFromInline
package final class EnumLayout: @unchecked Sendable {
    struct Case {
        var name: String
        /// `nil` if the case has no payload, if the payload is always empty, or if its type cannot be resolved.
        var payload: (Any.Type)?
        var isIndirect: Bool
    }

    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    let type: Any.Type
    let cases: [Case]
    let payloadCount: Int
    let tag: EnumTag
    private let projectWitness: Project
    private let injectWitness: Inject

    /// Reads the layout of `type`.
    ///
    /// - Throws: The reason if `type` is not supported.
    init(of type: Any.Type) throws(AutoPrismRefusal) {
        #if _ptrauth(_arm64e)
            throw .signedPointers
        #else
            let metadata = TypeMetadata(type)
            guard metadata.isEnum else { throw .notAnEnum }
            guard let witnesses = EnumWitnesses(metadata) else { throw .importedFromC }
            guard let fields = EnumFields(metadata) else { throw .noReflectionMetadata }
            self.type = type
            self.cases = fields.cases
            self.payloadCount = fields.payloadCount
            let onlyOneCase: EnumTag.Witness = { _, _ in 0 }
            // The witnesses are C functions with these parameters, according to the layout of the value-witness table
            // of enums.
            let tagWitness = unsafeBitCast(witnesses.tag, to: EnumTag.Witness.self)
            // An enum with one case has no tag to read.
            self.tag = EnumTag(witness: fields.cases.count > 1 ? tagWitness : onlyOneCase, metadata: metadata.address)
            // See the comment on `tagWitness`.
            self.projectWitness = unsafeBitCast(witnesses.project, to: Project.self)
            self.injectWitness = unsafeBitCast(witnesses.inject, to: Inject.self)
        #endif
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

    /// Throws if an enum stores payloads of type `part` in a representation that the type alone does not determine.
    func checkPayload(_ part: Any.Type) throws(AutoPrismRefusal) {
        if TypeMetadata(part).dependsOnAbstraction { throw .functionOrMetatype("\(part)") }
    }

    /// Returns the tags of the cases whose payload has the layout of `part`.
    ///
    /// Returns no tags if `size`, the size of `part`, is 0, in which case `part` has no values. Throws if no case
    /// matches.
    func candidates(carrying part: Any.Type, size: Int) throws(AutoPrismRefusal) -> [Int] {
        guard size > 0 else { return [] }
        let metadata = TypeMetadata(part)
        let candidates = cases.indices.prefix(payloadCount).filter { index in
            cases[index].payload.map { TypeMetadata($0).hasSameLayout(as: metadata) } ?? false
        }
        guard candidates.isEmpty else { return candidates }
        let carried = cases.prefix(payloadCount).map { each in
            "\(each.name) \(each.payload.map { "\($0)" } ?? "something unknown")"
        }
        throw .noCase(carrying: "\(part)", cases: carried)
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
