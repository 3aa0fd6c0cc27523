import FunctionalCore

/// A check that `TypeMetadata` reads the expected values from the metadata of a few known types.
///
/// A wrong offset within metadata would let prisms read and write the wrong memory. The first prism of a process
/// therefore decodes two private enums. If any value differs, no prism can be created from a case.
///
/// Unchecked: the steps are ordered so that a wrong offset is found before it does harm. A step follows a pointer only
/// if it is plausible, and if the data around the pointer had the expected values. It calls a function of an enum only
/// if the functions called before had the expected results. Until then, the values contain no references.
enum MetadataCheck {
    /// Whether the check has passed. It runs once in a process.
    static let hasPassed = SelfCheck.passes {
        areKindsKnown && areWitnessesKnown && areCasesKnown && arePayloadsKnown && areFunctionsKnown && isBoxKnown
    }

    /// An enum whose metadata is compared with known values. Its values store their tags in the bytes of their
    /// payloads, so projecting a payload changes these bytes. Three cases have a payload, and five have none:
    /// both numbers are odd. If a wrong offset makes the check read such a number as a relative pointer, the resulting
    /// address is not aligned, and the check fails.
    private enum Sample {
        case flag(Bool)
        case mark(Mark)
        case pair(UInt32, Bool)
        case first, second, third, fourth, fifth

        static let values: [Sample] = [
            .flag(true), .mark(known), .pair(known.number, true), .first, .second, .third, .fourth, .fifth,
        ]
        static let names = ["flag", "mark", "pair", "first", "second", "third", "fourth", "fifth"]
    }

    private indirect enum BoxedSample {
        case number(Int)
        case mark(Mark)
    }

    private struct Mark: Equatable {
        var number: UInt32
        var isSet: Bool
    }

    private static let known = Mark(number: 0x1234_5678, isSet: true)
    private static let sample = TypeMetadata(Sample.self)

    private static var areKindsKnown: Bool {
        func kind(_ type: Any.Type) -> TypeMetadata.Kind? { TypeMetadata(type).kind }
        let (pair, optional) = (TypeMetadata((UInt32, Bool).self), TypeMetadata(Bool?.self))
        return sample.kind == .enumeration && optional.kind == .optional && pair.kind == .tuple
            && kind((() -> Void).self) == .function && kind(Mark.Type.self) == .metatype
            && kind(Any.Type.self) == .existentialMetatype && kind(Mark.self) == nil
            // The count is compared first, because it determines how many types are read.
            && pair.tupleCount == 2 && isSame(pair.tupleElements, [UInt32.self, Bool.self])
            && isSame([optional.wrapped], [Bool.self])
    }

    private static var areWitnessesKnown: Bool {
        isPlausible(sample.valueWitnesses, alignment: TypeMetadata.word)
            && sample.size == MemoryLayout<Sample>.size
            && Int(sample.flags & 0xFF) == MemoryLayout<Sample>.alignment - 1
            && TypeMetadata(Mark.self).enumWitnesses == nil
    }

    private static var areCasesKnown: Bool {
        guard isPlausible(sample.descriptor, alignment: 4), sample.payloadCaseCount == 3, sample.plainCaseCount == 5,
            let records = sample.caseRecords, isPlausible(records.address, alignment: 4),
            records.size == 12, records.count == 8
        else { return false }
        return (0..<8).allSatisfy { index in
            records.flags(index) == 0 && records.name(index) != nil && (records.payload(index) != nil) == (index < 3)
        }
            && (0..<8).allSatisfy { index in
                records.name(index).map { isText($0, Sample.names[index]) } ?? false
            }
    }

    /// Whether the types of the payloads are read as expected. The mangled names are compared before the runtime
    /// resolves them, because the runtime can crash for bytes that are not a mangled name.
    private static var arePayloadsKnown: Bool {
        guard let records = sample.caseRecords, let flag = records.payload(0), let mark = records.payload(1),
            isText(flag, "Sb"), mark.begins(with: [1]), mark.mangledLength == 5
        else { return false }
        return isSame(sample.cases?.prefix(3).map(\.payload), [Bool.self, Mark.self, (UInt32, Bool).self])
    }

    private static var areFunctionsKnown: Bool {
        func isFunction(_ address: MetadataAddress) -> Bool {
            // No page contains both code and this table.
            isPlausible(address, alignment: 1) && address.bits >> 12 != sample.valueWitnesses.bits >> 12
        }
        guard let functions = sample.enumWitnesses, isFunction(functions.tag), isFunction(functions.project),
            isFunction(functions.inject), let layout = try? EnumLayout(unchecked: Sample.self)
        else { return false }
        let values = Sample.values
        guard values.indices.allSatisfy({ layout.functions.tag(of: values[$0]) == $0 }) else { return false }
        return layout.hasPayload(values[0], 0, true) && layout.hasPayload(values[1], 1, known)
            && layout.hasPayload(values[2], 2, known)
    }

    private static var isBoxKnown: Bool {
        guard let layout = try? EnumLayout(unchecked: BoxedSample.self), layout.cases.allSatisfy(\.isIndirect) else {
            return false
        }
        return layout.boxedPayload(of: BoxedSample.mark(known), 1) == known
    }

    /// Returns whether an address can be one that the metadata of `Sample` contains: aligned, and less than 1 GB away.
    /// All of these addresses are in one image.
    private static func isPlausible(_ address: MetadataAddress, alignment: Int) -> Bool {
        let distance = address.bits.subtractingReportingOverflow(sample.address.bits)
        return address.bits != 0 && address.bits % alignment == 0 && !distance.overflow
            && distance.partialValue.magnitude < 1 << 30
    }

    private static func isText(_ address: MetadataAddress, _ text: String) -> Bool {
        address.begins(with: Array(text.utf8) + [0])
    }

    /// Returns whether the types are the same. Compares the addresses of their metadata, and reads no metadata.
    private static func isSame(_ types: [(Any.Type)?]?, _ others: [Any.Type]) -> Bool {
        types?.map { $0.map(ObjectIdentifier.init) } == others.map { ObjectIdentifier($0) }
    }
}
