/// How the values of one enum type are laid out: its cases, and the enum's own functions to take a value apart.
///
/// Made once for each type. Immutable, and all it points to lives as long as the process: that is why it is `Sendable`.
@usableFromInline
package final class EnumLayout: @unchecked Sendable {
    struct Case {
        var name: String
        /// `nil` for a case without payload, and for one whose payload takes no room.
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

    /// Reads the layout of `type`, or says why it cannot be used.
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
            // The witnesses are C functions with these parameters: that is the value-witness table's layout for enums.
            let tagWitness = unsafeBitCast(witnesses.tag, to: EnumTag.Witness.self)
            // An enum of one case has nothing to tell it by.
            self.tag = EnumTag(witness: fields.cases.count > 1 ? tagWitness : onlyOneCase, metadata: metadata.address)
            // As above.
            self.projectWitness = unsafeBitCast(witnesses.project, to: Project.self)
            self.injectWitness = unsafeBitCast(witnesses.inject, to: Inject.self)
        #endif
    }

    /// Turns the value at `address` into its payload, in place. The value must be of a case with a payload, and nobody
    /// else may look at it until `inject` has made it a value again or the payload has been moved out.
    @usableFromInline
    func project(_ address: UnsafeMutableRawPointer) {
        projectWitness(address, tag.metadata)
    }

    /// Turns the payload at `address` into a value of the case `tag` again, in place.
    @usableFromInline
    func inject(_ address: UnsafeMutableRawPointer, _ tag: Int) {
        injectWitness(address, UInt32(tag), self.tag.metadata)
    }

    /// Refuses payloads that an enum does not lay out as their type alone says.
    func checkPayload(_ part: Any.Type) throws(AutoPrismRefusal) {
        if TypeMetadata(part).dependsOnAbstraction { throw .functionOrMetatype("\(part)") }
    }

    /// The tags of the cases whose payload is laid out as a `part`; none where `part`, of `size` 0, has no values.
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

    /// Whether a value of the case `tag` holds nothing but its tag.
    func isEmpty(_ tag: Int) -> Bool {
        tag >= payloadCount || cases[tag].payload.map { TypeMetadata($0).size == 0 } ?? false
    }

    /// The name of the case `tag`, for messages.
    func name(_ tag: Int) -> String {
        cases.indices.contains(tag) ? cases[tag].name : "case \(tag)"
    }
}
