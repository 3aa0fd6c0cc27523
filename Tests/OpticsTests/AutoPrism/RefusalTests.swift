import FunctionalCore
import ImportedEnum
import Optics
import TestSupport
import Testing

/// Uses that cannot be made safe trap with a message that names the cause and the remedy.
@Suite("Refusals", .timeLimit(.minutes(10)))
struct RefusalTests {
    @Test(.promptly) func aStructTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NotAnEnum.prism(for: NotAnEnum.init(value:))
        }
        #expect(
            text(result).contains(
                """
                NotAnEnum.prism(for:): NotAnEnum is not an enum, so it has no cases. To fix, pass the property to \
                Lens(_:) as a key path, or write the prism as Prism(embed:extract:).
                """))
    }

    @Test(.promptly) func anEnumFromCTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ImportedEnum.prism(for: ImportedEnum.first)
        }
        #expect(
            text(result).contains(
                """
                ImportedEnum.prism(for:): ImportedEnum is an enum imported from C, whose cases cannot be determined \
                at run time. To fix, write the prism as Prism(embed:extract:).
                """))
    }

    @Test("If the metadata of types is not as expected, each prism of a case is refused", .promptly)
    func unknownMetadata() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            SelfCheck.$isFailing.withValue(true) {
                _ = Labelled.prism(for: Labelled.one)
            }
        }
        #expect(
            text(result).contains(
                """
                Labelled.prism(for:): the module Optics was compiled without reflection metadata, or by a compiler that \
                stores the metadata of types in another form than it knows, so no cases can be determined at run time. \
                To fix, write the prism as Prism(embed:extract:).
                """))
    }

    @Test(.promptly) func aPayloadThatNoCaseHasTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Labelled.prism(for: { (_: Double) in .none })
        }
        #expect(
            text(result).contains(
                """
                Labelled.prism(for:): no case of Labelled has the payload Double. Its payloads: one (value: Int), two \
                (x: Int, y: String). To fix, pass a case by its name, as in Labelled.prism(for: Labelled.someCase), \
                or write the prism as Prism(embed:extract:).
                """))
    }

    @Test(.promptly) func aPayloadForAnEnumWithoutPayloadsTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Plains.prism(for: { (_: Int) in .a })
        }
        #expect(
            text(result).contains(
                "Plains.prism(for:): the payload is Int, but no case of Plains has a payload. To fix, pass"))
    }

    @Test(.promptly) func aFunctionAsPayloadTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Unlike.prism(for: Unlike.function)
        }
        #expect(
            text(result).contains(
                """
                Unlike.prism(for:): the payload () -> () is or contains a function or a metatype, which enums store in \
                a special form. To fix, write the prism as Prism(embed:extract:).
                """))
    }

    @Test(.promptly) func aFunctionInATupleTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Unlike.prism(for: Unlike.pair)
        }
        #expect(text(result).contains("Unlike.prism(for:): the payload (Int, () -> ()) is or contains a function"))
    }

    @Test(.promptly) func aFunctionInAnOptionalTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Unlike.prism(for: Unlike.perhaps)
        }
        #expect(text(result).contains("the payload Optional<() -> ()> is or contains a function"))
    }

    @Test(.promptly) func aMetatypeTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Unlike.prism(for: Unlike.type)
        }
        #expect(
            text(result).contains("Unlike.prism(for:): the payload Int.Type is or contains a function or a metatype"))
    }

    @Test(.promptly) func aMetatypeOfAProtocolTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Unlike.prism(for: Unlike.anyType)
        }
        #expect(text(result).contains("the payload Named.Type is or contains a function or a metatype"))
    }

    @Test(.promptly) func aValueWithAPayloadPassedAsAPlainCaseTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Labelled.prism(for: Labelled.one(value: 1))
        }
        #expect(
            text(result).contains(
                """
                Labelled.prism(for:): a value of the case one was passed as a case without a payload, but this case \
                has one. To fix, pass the case itself, Labelled.prism(for: Labelled.one).
                """))
    }

    @Test(.promptly) func aVoidClosureThatReturnsACaseWithAnotherPayloadTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Voids.prism(for: { (_: Void) in .number(1) })
        }
        #expect(
            text(result).contains(
                """
                Voids.prism(for:): the closure for the payload () returned the case number, which does not have this \
                payload. To fix, pass
                """
            ))
    }

    @Test(.promptly) func aClosureThatReturnsAnotherCaseTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SameInt.prism(for: { (_: Int) in .none }).extract(.a(1))
        }
        #expect(
            text(result).contains(
                """
                SameInt.prism(for:): the closure for the payload Int returned the case none, which does not have this \
                payload. To fix, pass
                """))
    }

    @Test(.promptly) func aClosureThatAltersAnEquatablePayloadTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SameInt.prism(for: { .a($0 + 1) }).extract(.a(1))
        }
        #expect(
            text(result).contains(
                """
                SameInt.prism(for:): the closure passed as the case a returned a value with another Int than it \
                received. To fix, pass a case by its name
                """))
    }

    @Test(.promptly) func aClosureThatAltersThePayloadOfItsFirstEmbedTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SameInt.prism(for: { .a($0 + 1) }).embed(1)
        }
        #expect(text(result).contains("SameInt.prism(for:): the closure passed as the case a returned a value"))
    }

    @Test(.promptly) func aClosureThatReturnsAnotherObjectTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SameClass.prism(for: { (_: Node) in .left(Node()) }).extract(.left(Node()))
        }
        #expect(
            text(result).contains("SameClass.prism(for:): the closure passed as the case left returned"))
    }

    @Test(.promptly) func aClosureThatReturnsAnotherCaseOfANestedEnumTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Nested.prism(for: { (_: Bools) in .inner(.none) }).extract(.inner(.a(true)))
        }
        #expect(
            text(result).contains("Nested.prism(for:): the closure passed as the case inner returned"))
    }

    @Test(.promptly) func aLensThatDoesNotCallItsClosureTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var number = 1
            Lens<Int, Int>(get: { $0 }, modify: { _, _ in }).modify(&number) { $0 += 1 }
        }
        #expect(
            text(result).contains(
                """
                The in-place closure of a lens from Int to Int returned without calling the closure it receives. \
                To fix, call it exactly once, or use an Affine if the part may be absent.
                """))
    }

    @Test(.promptly) func anAffineThatCallsItsClosureTwiceTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var number = 1
            let twice = Affine<Int, Int>(
                extract: { $0 },
                modify: { whole, change in
                    change(&whole)
                    change(&whole)
                }
            )
            twice.modify(&number) { $0 += 1 }
        }
        #expect(
            text(result).contains(
                """
                The in-place closure of an optic from Int to Int called the closure it receives more than once. \
                To fix, call it once, or use a Traversal, which has many parts.
                """))
    }

    @Test(.promptly) func aChangeOfAnIDTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var rows = [Row(id: 1), Row(id: 2)]
            Affine<[Row], Row>.element(id: 2).modify(&rows) { $0.id = 3 }
        }
        #expect(
            text(result).contains(
                """
                A change through element(id:) changed the id of a Row from 2 to 3. To fix, keep the id in the change, \
                or replace the element through a lens to the collection.
                """))
    }

    @Test(.promptly) func aChangeOfAnIDAtAPathTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var rows = [Row(id: 1), Row(id: 2)]
            Affine<[Row], Row>.element(id: 2, by: \.id).modify(&rows) { $0.id = 3 }
        }
        #expect(text(result).contains("A change through element(id:) changed the id of a Row from 2 to 3. To fix, "))
    }
}

/// Returns the text that the exit test wrote to standard error.
private func text(_ result: ExitTest.Result?) -> String {
    result?.standardErrorText ?? ""
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
