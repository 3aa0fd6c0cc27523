import FunctionalCore

/// The layout of the values of one enum type: its cases, and the functions that the compiler generates for the enum.
@usableFromInline
final class EnumLayout: Sendable {
    struct Case {
        var name: String
        /// The type of the payload. It is `nil` if the case has no payload, if the payload is always empty, or if the
        /// type cannot be resolved.
        var payload: (Any.Type)?
        var isIndirect: Bool
    }

    private static let known = Locked<[ObjectIdentifier: EnumLayout]>([:])

    /// The cases in the order of their tags.
    let cases: [Case]
    /// The number of cases with a payload. The tags of these cases are less than this number, and the tags of all other
    /// cases are not.
    let payloadCount: Int
    let functions: EnumFunctions

    /// Returns the layout of `type`, which is stored for later calls.
    ///
    /// - Throws: The reason if `type` is not supported.
    static func of(_ type: Any.Type) throws(AutoPrismRefusal) -> EnumLayout {
        if let layout = known.withLock({ $0[ObjectIdentifier(type)] }) { return layout }
        #if _ptrauth(_arm64e)
            throw .signedPointers
        #else
            // Neither the check nor the reading of the layout holds the lock.
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
        functions = EnumFunctions(type, witnesses, hasTag: cases.count > 1)
    }

    /// Returns the tags of the cases whose payload has the layout of `part`.
    ///
    /// Returns no tags if the size of `part` is zero. Throws if no case has such a payload.
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
