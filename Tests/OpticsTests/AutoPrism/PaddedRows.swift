import ImportedEnum
import Optics

// The parts are written field by field, so that the padding between the fields keeps its previous contents.

extension Shape {
    static let padded: [Shape] = [
        Shape("padding, one case", PaddedOne.self, [.only(wide)]) {
            $0.check(0, wide, initialize: writeWide) { PaddedOne.prism(for: PaddedOne.only) }
        },
        Shape("padding, one payload", PaddedSingle.self, [.first(wide), .a, .b]) {
            $0.check(0, wide, initialize: writeWide) { PaddedSingle.prism(for: PaddedSingle.first) }
            $0.check(2, ()) { PaddedSingle.prism(for: PaddedSingle.b) }
        },
        Shape("padding, two payloads", PaddedTwo.self, [.first(wide), .second(wide), .closed]) {
            $0.check(0, wide, initialize: writeWide) { PaddedTwo.prism(for: PaddedTwo.first) }
            $0.check(1, wide, initialize: writeWide) { PaddedTwo.prism(for: PaddedTwo.second) }
            $0.check(2, ()) { PaddedTwo.prism(for: PaddedTwo.closed) }
        },
        Shape("padding before the last field", PaddedInner.self, [.first(inner), .second(inner), .closed]) {
            $0.check(0, inner, initialize: writeInner) { PaddedInner.prism(for: PaddedInner.first) }
            $0.check(1, inner, initialize: writeInner) { PaddedInner.prism(for: PaddedInner.second) }
        },
        Shape("padding at the end", PaddedTrailing.self, [.first(trailing), .second(trailing), .closed]) {
            $0.check(0, trailing, initialize: writeTrailing) { PaddedTrailing.prism(for: PaddedTrailing.first) }
            $0.check(1, trailing, initialize: writeTrailing) { PaddedTrailing.prism(for: PaddedTrailing.second) }
        },
        Shape("padding at different places", PaddedMixed.self, mixed()) {
            $0.check(0, inner, initialize: writeInner) { PaddedMixed.prism(for: PaddedMixed.inner) }
            $0.check(1, nested, initialize: writeNested) { PaddedMixed.prism(for: PaddedMixed.nested) }
            $0.check(2, trailing, initialize: writeTrailing) { PaddedMixed.prism(for: PaddedMixed.trailing) }
        },
        Shape("padding of bits", PaddedBits.self, [.first(bits), .second(bits), .third(bits), .closed]) {
            $0.check(0, bits, initialize: writeBits) { PaddedBits.prism(for: PaddedBits.first) }
            $0.check(2, bits, initialize: writeBits) { PaddedBits.prism(for: PaddedBits.third) }
        },
        Shape("padding before a vector", PaddedVectors.self, vectors()) {
            $0.check(0, vector, initialize: writeVector) { PaddedVectors.prism(for: PaddedVectors.first) }
            $0.check(4, vector, initialize: writeVector) { PaddedVectors.prism(for: PaddedVectors.fifth) }
        },
        Shape("padding in nested structs", PaddedNested.self, [.first(nested), .second(nested), .closed]) {
            $0.check(0, nested, initialize: writeNested) { PaddedNested.prism(for: PaddedNested.first) }
            $0.check(1, nested, initialize: writeNested) { PaddedNested.prism(for: PaddedNested.second) }
        },
        Shape("padding in tuples", PaddedTuples.self, tuples()) {
            $0.check(0, (2, 7), initialize: writePair) { PaddedTuples.prism(for: PaddedTuples.pair) }
            $0.check(1, (2, 7), initialize: writePair) { PaddedTuples.prism(for: PaddedTuples.labelled) }
            $0.check(2, wide, initialize: writeWide) { PaddedTuples.prism(for: PaddedTuples.structure) }
        },
        Shape("padding in tuples in structs", PaddedTupleStructs.self, [.first(tuple), .second(tuple), .closed]) {
            $0.check(0, tuple, initialize: writeTuple) { PaddedTupleStructs.prism(for: PaddedTupleStructs.first) }
            $0.check(1, tuple, initialize: writeTuple) { PaddedTupleStructs.prism(for: PaddedTupleStructs.second) }
        },
        Shape("padding in optionals", PaddedOptionals.self, optionals()) {
            $0.check(0, wide, initialize: writeOptional) { PaddedOptionals.prism(for: PaddedOptionals.first) }
            $0.check(1, nil, initialize: { $0.pointee = nil }) { PaddedOptionals.prism(for: PaddedOptionals.second) }
            $0.check(2, optional, initialize: writeOptionalGap) { PaddedOptionals.prism(for: PaddedOptionals.third) }
            $0.check(3, (bits, 3), initialize: writeOptionalBits) {
                PaddedOptionals.prism(for: PaddedOptionals.fourth)
            }
            $0.check(4, (wide, bits), initialize: writeOptionalPair) {
                PaddedOptionals.prism(for: PaddedOptionals.fifth)
            }
        },
        Shape("padding in structs of optionals", PaddedOptionalStructs.self, optionalStructs()) {
            $0.check(0, optional, initialize: writeOptionalGap) {
                PaddedOptionalStructs.prism(for: PaddedOptionalStructs.first)
            }
            $0.check(1, optional, initialize: writeOptionalGap) {
                PaddedOptionalStructs.prism(for: PaddedOptionalStructs.second)
            }
        },
        Shape("padding beside an enum", PaddedEnums.self, enums()) {
            $0.check(0, enumGap, initialize: writeEnum) { PaddedEnums.prism(for: PaddedEnums.first) }
            $0.check(1, enumGap, initialize: writeEnum) { PaddedEnums.prism(for: PaddedEnums.second) }
            $0.check(2, .second(wide)) { PaddedEnums.prism(for: PaddedEnums.third) }
        },
        Shape("padding in a nested enum", PaddedDirectly.self, directly()) {
            $0.check(0, .first(wide)) { PaddedDirectly.prism(for: PaddedDirectly.first) }
            $0.check(1, .second(wide)) { PaddedDirectly.prism(for: PaddedDirectly.second) }
            $0.check(0, wide, initialize: writeWide) {
                PaddedDirectly.prism(for: PaddedDirectly.first).appending(PaddedTwo.prism(for: PaddedTwo.first))
            }
            $0.check(1, wide, initialize: writeWide) {
                PaddedDirectly.prism(for: PaddedDirectly.second).appending(PaddedTwo.prism(for: PaddedTwo.second))
            }
        },
        Shape("padding before an object", PaddedObjects.self, objects()) {
            $0.check(0, (2, Node())) { PaddedObjects.prism(for: PaddedObjects.first) }
            $0.check(1, (2, Node())) { PaddedObjects.prism(for: PaddedObjects.second) }
            $0.check(2, wide, initialize: writeWide) { PaddedObjects.prism(for: PaddedObjects.third) }
        },
        Shape("padding in a box", PaddedIndirect.self, [.first(wide), .boxed(wide), .closed]) {
            $0.check(0, wide, initialize: writeWide) { PaddedIndirect.prism(for: PaddedIndirect.first) }
            $0.check(1, wide, initialize: writeWide) { PaddedIndirect.prism(for: PaddedIndirect.boxed) }
        },
        Shape("padding, generic", PaddedGeneric<WideGap>.self, generic()) {
            $0.check(0, wide, initialize: writeWide) { PaddedGeneric.prism(for: PaddedGeneric<WideGap>.first) }
            $0.check(1, wide, initialize: writeWide) { PaddedGeneric.prism(for: PaddedGeneric<WideGap>.second) }
            $0.check(2, wide, initialize: writeWide) { PaddedGeneric.prism(for: PaddedGeneric<WideGap>.structure) }
        },
        Shape("padding, 256 cases", Padded256.self, [.c0(byte), .c1(byte), .c128(byte), .c255(byte)]) {
            $0.check(0, byte, initialize: writeByte) { Padded256.prism(for: Padded256.c0) }
            $0.check(1, byte, initialize: writeByte) { Padded256.prism(for: Padded256.c1) }
            $0.check(3, byte, initialize: writeByte) { Padded256.prism(for: Padded256.c255) }
        },
    ]

    private static func mixed() -> [PaddedMixed] { [.inner(inner), .nested(nested), .trailing(trailing), .none] }

    private static func vectors() -> [PaddedVectors] {
        [.first(vector), .second(vector), .third(vector), .fourth(vector), .fifth(vector)]
    }

    private static func tuples() -> [PaddedTuples] {
        [.pair(2, 7), .labelled(kind: 2, value: 7), .structure(wide), .closed]
    }

    private static func optionals() -> [PaddedOptionals] {
        [.first(wide), .second(nil), .third(optional), .fourth(bits, 3), .fifth((wide, bits)), .closed]
    }

    private static func optionalStructs() -> [PaddedOptionalStructs] { [.first(optional), .second(optional), .closed] }

    private static func enums() -> [PaddedEnums] {
        [.first(enumGap), .second(enumGap), .third(.second(wide)), .closed]
    }

    private static func directly() -> [PaddedDirectly] { [.first(.first(wide)), .second(.second(wide)), .closed] }

    private static func objects() -> [PaddedObjects] { [.first(2, Node()), .second(2, Node()), .third(wide), .closed] }

    private static func generic() -> [PaddedGeneric<WideGap>] {
        [.first(wide), .second(wide), .structure(wide), .closed]
    }
}

private let wide = WideGap(kind: 2, value: 7)
private let byte = ByteGap(kind: 2, value: 7)
private let inner = InnerGap(first: 1, kind: 2, last: 3)
private let bits = BitGap(isOn: true, value: 7)
private let vector = VectorGap(kind: 2, vector: [1, 2, 3, 4])
private let nested = NestedGap(outer: 1, gap: wide, tail: bits)
private let tuple = TupleGap(pair: (2, 7), value: 3)
private let optional = OptionalGap(gap: wide, value: 3)
private let trailing = TrailingGap(value: 7, kind: 2)
private let enumGap = EnumGap(kind: 2, inner: .first(wide))

private typealias Write<Value> = (UnsafeMutablePointer<Value>) -> Void

private var writeWide: Write<WideGap> { writing(wide, \.kind, \.value) }
private var writeByte: Write<ByteGap> { writing(byte, \.kind, \.value) }
private var writeInner: Write<InnerGap> { writing(inner, \.first, \.kind, \.last) }
private var writeTrailing: Write<TrailingGap> { writing(trailing, \.value, \.kind) }
private var writeBits: Write<BitGap> { writing(bits, \.isOn, \.value) }
private var writeVector: Write<VectorGap> { writing(vector, \.kind, \.vector) }
private var writeNested: Write<NestedGap> {
    writing(nested, \.outer, \.gap.kind, \.gap.value, \.tail.isOn, \.tail.value)
}
private var writePair: Write<(UInt8, Int)> { writing((2, 7), \.0, \.1) }
private var writeTuple: Write<TupleGap> { writing(tuple, \.pair.0, \.pair.1, \.value) }

/// Returns a function that writes each of these fields of a value.
private func writing<Value, each Field>(
    _ value: Value, _ fields: repeat WritableKeyPath<Value, each Field>
) -> Write<Value> {
    { place in for field in repeat each fields { place.pointee[keyPath: field] = value[keyPath: field] } }
}

// A concrete value is stored field by field, too.

private func writeOptional(_ place: UnsafeMutablePointer<WideGap?>) {
    place.pointee = wide
}

private func writeOptionalGap(_ place: UnsafeMutablePointer<OptionalGap>) {
    place.pointee.gap = wide
    place.pointee.value = 3
}

private func writeOptionalBits(_ place: UnsafeMutablePointer<(BitGap?, Int)>) {
    place.pointee.0 = bits
    place.pointee.1 = 3
}

private func writeOptionalPair(_ place: UnsafeMutablePointer<(WideGap, BitGap)?>) {
    place.pointee = (wide, bits)
}

private func writeEnum(_ place: UnsafeMutablePointer<EnumGap>) {
    place.pointee.kind = 2
    place.pointee.inner = .first(wide)
}
