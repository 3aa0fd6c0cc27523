import ImportedEnum
import Optics

// Payloads with padding. The compiler stores an enum's tag in the padding if all payloads have padding at the same
// offset.

struct WideGap {
    var kind: UInt8
    var value: Int
}
struct ByteGap {
    var kind: UInt8
    var value: UInt16
}
struct InnerGap {
    var first: Int
    var kind: UInt8
    var last: Int
}
struct BitGap {
    var isOn: Bool
    var value: Int32
}
struct VectorGap {
    var kind: UInt8
    var vector: SIMD4<Float>
}
struct NestedGap {
    var outer: UInt8
    var gap: WideGap
    var tail: BitGap
}
struct TupleGap {
    var pair: (UInt8, Int32)
    var value: Int
}
struct OptionalGap {
    var gap: WideGap?
    var value: Int
}
struct EnumGap {
    var kind: UInt8
    var inner: PaddedTwo
}

enum PaddedOne: AutoPrism { case only(WideGap) }
enum PaddedSingle: AutoPrism {
    case first(WideGap)
    case a, b
}
enum PaddedTwo: AutoPrism {
    case first(WideGap)
    case second(WideGap)
    case closed
}
enum PaddedMixed: AutoPrism {
    case inner(InnerGap)
    case nested(NestedGap)
    case trailing(TrailingGap)
    case none
}
enum PaddedInner: AutoPrism {
    case first(InnerGap)
    case second(InnerGap)
    case closed
}
enum PaddedTrailing: AutoPrism {
    case first(TrailingGap)
    case second(TrailingGap)
    case closed
}
enum PaddedBits: AutoPrism {
    case first(BitGap)
    case second(BitGap)
    case third(BitGap)
    case closed
}
enum PaddedVectors: AutoPrism {
    case first(VectorGap)
    case second(VectorGap)
    case third(VectorGap)
    case fourth(VectorGap)
    case fifth(VectorGap)
}
enum PaddedNested: AutoPrism {
    case first(NestedGap)
    case second(NestedGap)
    case closed
}
enum PaddedTuples: AutoPrism {
    case pair(UInt8, Int)
    case labelled(kind: UInt8, value: Int)
    case structure(WideGap)
    case closed
}
enum PaddedTupleStructs: AutoPrism {
    case first(TupleGap)
    case second(TupleGap)
    case closed
}
enum PaddedOptionals: AutoPrism {
    case first(WideGap?)
    case second(WideGap?)
    case third(OptionalGap)
    case fourth(BitGap?, Int)
    case fifth((WideGap, BitGap)?)
    case closed
}
enum PaddedOptionalStructs: AutoPrism {
    case first(OptionalGap)
    case second(OptionalGap)
    case closed
}
enum PaddedEnums: AutoPrism {
    case first(EnumGap)
    case second(EnumGap)
    case third(PaddedTwo)
    case closed
}
enum PaddedDirectly: AutoPrism {
    case first(PaddedTwo)
    case second(PaddedTwo)
    case closed
}
enum PaddedObjects: AutoPrism {
    case first(UInt8, Node)
    case second(UInt8, Node)
    case third(WideGap)
    case closed
}
enum PaddedIndirect: AutoPrism {
    case first(WideGap)
    indirect case boxed(WideGap)
    case closed
}
enum PaddedGeneric<Value>: AutoPrism {
    case first(Value)
    case second(Value)
    case structure(WideGap)
    case closed
}
