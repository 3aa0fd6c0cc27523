// swift-format-ignore-file: OneCasePerLine

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
enum PaddedSingle: AutoPrism { case first(WideGap), a, b }
enum PaddedTwo: AutoPrism { case first(WideGap), second(WideGap), closed }
enum PaddedMixed: AutoPrism { case inner(InnerGap), nested(NestedGap), trailing(TrailingGap), none }
enum PaddedInner: AutoPrism { case first(InnerGap), second(InnerGap), closed }
enum PaddedTrailing: AutoPrism { case first(TrailingGap), second(TrailingGap), closed }
enum PaddedBits: AutoPrism { case first(BitGap), second(BitGap), third(BitGap), closed }
enum PaddedVectors: AutoPrism {
    case first(VectorGap), second(VectorGap), third(VectorGap), fourth(VectorGap), fifth(VectorGap)
}
enum PaddedNested: AutoPrism { case first(NestedGap), second(NestedGap), closed }
enum PaddedTuples: AutoPrism { case pair(UInt8, Int), labelled(kind: UInt8, value: Int), structure(WideGap), closed }
enum PaddedTupleStructs: AutoPrism { case first(TupleGap), second(TupleGap), closed }
enum PaddedOptionals: AutoPrism {
    case first(WideGap?), second(WideGap?), third(OptionalGap), fourth(BitGap?, Int), fifth((WideGap, BitGap)?), closed
}
enum PaddedOptionalStructs: AutoPrism { case first(OptionalGap), second(OptionalGap), closed }
enum PaddedEnums: AutoPrism { case first(EnumGap), second(EnumGap), third(PaddedTwo), closed }
enum PaddedDirectly: AutoPrism { case first(PaddedTwo), second(PaddedTwo), closed }
enum PaddedObjects: AutoPrism { case first(UInt8, Node), second(UInt8, Node), third(WideGap), closed }
enum PaddedIndirect: AutoPrism {
    case first(WideGap)
    indirect case boxed(WideGap)
    case closed
}
enum PaddedGeneric<Value>: AutoPrism { case first(Value), second(Value), structure(WideGap), closed }
