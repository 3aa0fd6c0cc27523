import FunctionalCore
import ImportedEnum
import Optics
import TestSupport
import Testing

/// A use that cannot be made safe.
enum Misuse: String, CaseIterable, Codable, CustomTestStringConvertible {
    case aStruct, anEnumFromC, unknownMetadata
    case aPayloadThatNoCaseHas, aPayloadForAnEnumWithoutPayloads
    case aFunction, aFunctionInATuple, aFunctionInAnOptional, aMetatype, aMetatypeOfAProtocol
    case aValueWithAPayloadAsAPlainCase, aVoidClosureThatReturnsACaseWithAnotherPayload
    case aClosureThatReturnsAnotherCase, aClosureThatAltersItsPayload, aClosureThatAltersThePayloadOfItsFirstEmbed
    case aClosureThatReturnsAnotherObject, aClosureThatReturnsAnotherCaseOfANestedEnum
    case aLensThatDoesNotCallItsClosure, anAffineThatCallsItsClosureTwice, aChangeOfAnID, aChangeOfAnIDAtAPath

    var testDescription: String { rawValue }

    func use() {
        var (number, rows) = (1, [Row(id: 1), Row(id: 2)])
        switch self {
        case .aStruct: _ = NotAnEnum.prism(for: NotAnEnum.init(value:))
        case .anEnumFromC: _ = ImportedEnum.prism(for: ImportedEnum.first)
        case .unknownMetadata: SelfCheck.$isFailing.withValue(true) { _ = Labelled.prism(for: Labelled.one) }
        case .aPayloadThatNoCaseHas: _ = Labelled.prism(for: { (_: Double) in .none })
        case .aPayloadForAnEnumWithoutPayloads: _ = Plains.prism(for: { (_: Int) in .a })
        case .aFunction: _ = Unlike.prism(for: Unlike.function)
        case .aFunctionInATuple: _ = Unlike.prism(for: Unlike.pair)
        case .aFunctionInAnOptional: _ = Unlike.prism(for: Unlike.perhaps)
        case .aMetatype: _ = Unlike.prism(for: Unlike.type)
        case .aMetatypeOfAProtocol: _ = Unlike.prism(for: Unlike.anyType)
        case .aValueWithAPayloadAsAPlainCase: _ = Labelled.prism(for: Labelled.one(value: 1))
        case .aVoidClosureThatReturnsACaseWithAnotherPayload: _ = Voids.prism(for: { (_: Void) in .number(1) })
        case .aClosureThatReturnsAnotherCase: _ = SameInt.prism(for: { (_: Int) in .none }).extract(.a(1))
        case .aClosureThatAltersItsPayload: _ = SameInt.prism(for: { .a($0 + 1) }).extract(.a(1))
        case .aClosureThatAltersThePayloadOfItsFirstEmbed: _ = SameInt.prism(for: { .a($0 + 1) }).embed(1)
        case .aClosureThatReturnsAnotherObject:
            _ = SameClass.prism(for: { (_: Node) in .left(Node()) }).extract(.left(Node()))
        case .aClosureThatReturnsAnotherCaseOfANestedEnum:
            _ = Nested.prism(for: { (_: Bools) in .inner(.none) }).extract(.inner(.a(true)))
        case .aLensThatDoesNotCallItsClosure:
            Lens<Int, Int>(get: { $0 }, modify: { _, _ in }).modify(&number) { $0 += 1 }
        case .anAffineThatCallsItsClosureTwice:
            let twice = Affine<Int, Int>(
                extract: { $0 },
                modify: { whole, change in
                    change(&whole)
                    change(&whole)
                })
            twice.modify(&number) { $0 += 1 }
        case .aChangeOfAnID: Affine<[Row], Row>.element(id: 2).modify(&rows) { $0.id = 3 }
        case .aChangeOfAnIDAtAPath: Affine<[Row], Row>.element(id: 2, by: \.id).modify(&rows) { $0.id = 3 }
        }
    }

    /// The cause and the remedy that the message names.
    var message: String {
        let write = "write the prism as Prism(embed:extract:)."
        let special = "is or contains a function or a metatype, which enums store in a special form. To fix, \(write)"
        return switch self {
        case .aStruct:
            """
            NotAnEnum.prism(for:): NotAnEnum is not an enum, so it has no cases. To fix, pass the property to \
            Lens(_:) as a key path, or \(write)
            """
        case .anEnumFromC:
            """
            ImportedEnum.prism(for:): ImportedEnum is an enum imported from C, whose cases cannot be determined \
            at run time. To fix, \(write)
            """
        case .unknownMetadata:
            """
            Labelled.prism(for:): the module Optics was compiled without reflection metadata, or by a compiler that \
            stores the metadata of types in another form than it knows, so no cases can be determined at run time. \
            To fix, \(write)
            """
        case .aPayloadThatNoCaseHas:
            """
            Labelled.prism(for:): no case of Labelled has the payload Double. Its payloads: one (value: Int), two \
            (x: Int, y: String). To fix, pass a case by its name, as in Labelled.prism(for: Labelled.someCase), \
            or \(write)
            """
        case .aPayloadForAnEnumWithoutPayloads:
            "Plains.prism(for:): the payload is Int, but no case of Plains has a payload. To fix, pass"
        case .aFunction: "Unlike.prism(for:): the payload () -> () \(special)"
        case .aFunctionInATuple: "Unlike.prism(for:): the payload (Int, () -> ()) \(special)"
        case .aFunctionInAnOptional: "Unlike.prism(for:): the payload Optional<() -> ()> \(special)"
        case .aMetatype: "Unlike.prism(for:): the payload Int.Type \(special)"
        case .aMetatypeOfAProtocol: "the payload Named.Type \(special)"
        case .aValueWithAPayloadAsAPlainCase:
            """
            Labelled.prism(for:): a value of the case one was passed as a case without a payload, but this case \
            has one. To fix, pass the case itself, Labelled.prism(for: Labelled.one).
            """
        case .aVoidClosureThatReturnsACaseWithAnotherPayload:
            """
            Voids.prism(for:): the closure for the payload () returned the case number, which does not have this \
            payload. To fix, pass
            """
        case .aClosureThatReturnsAnotherCase:
            """
            SameInt.prism(for:): the closure for the payload Int returned the case none, which does not have this \
            payload. To fix, pass
            """
        case .aClosureThatAltersItsPayload, .aClosureThatAltersThePayloadOfItsFirstEmbed:
            """
            SameInt.prism(for:): the closure passed as the case a returned a value with another Int than it \
            received. To fix, pass a case by its name
            """
        case .aClosureThatReturnsAnotherObject: "SameClass.prism(for:): the closure passed as the case left returned"
        case .aClosureThatReturnsAnotherCaseOfANestedEnum:
            "Nested.prism(for:): the closure passed as the case inner returned"
        case .aLensThatDoesNotCallItsClosure:
            """
            The in-place closure of a lens from Int to Int returned without calling the closure it receives. \
            To fix, call it exactly once, or use an Affine if the part may be absent.
            """
        case .anAffineThatCallsItsClosureTwice:
            """
            The in-place closure of an optic from Int to Int called the closure it receives more than once. \
            To fix, call it once, or use a Traversal, which has many parts.
            """
        case .aChangeOfAnID, .aChangeOfAnIDAtAPath:
            """
            A change through element(id:) changed the id of a Row from 2 to 3. To fix, keep the id in the change, \
            or replace the element through a lens to the collection.
            """
        }
    }
}

@Suite("Refusals", .timeLimit(.minutes(10)))
struct RefusalTests {
    @Test(
        "A use that cannot be made safe traps, and the message names the cause and the remedy", .promptly,
        arguments: Misuse.allCases)
    func traps(misuse: Misuse) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [misuse] in misuse.use()
        }
        #expect(result.standardErrorText.contains(misuse.message))
    }
}

private struct NotAnEnum: AutoPrism { var value: Int }

private enum Unlike: AutoPrism {
    case function(() -> Void)
    case pair(Int, () -> Void)
    case perhaps((() -> Void)?)
    case type(Int.Type)
    case anyType(any Named.Type)
    case none
}

extension ImportedEnum: AutoPrism {}
