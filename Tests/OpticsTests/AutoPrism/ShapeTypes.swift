// swift-format-ignore-file: OneCasePerLine

import Optics

protocol Named { var name: String { get } }
struct Plain: Named { var name = "plain" }
struct Wide: Named {
    var name = "wide"
    var more = (1, 2, 3, 4, 5)
}
final class Node { var value = 5 }
class Animal { var legs = 4 }
final class Bird: Animal { var wings = 2 }
protocol Bound: AnyObject {}
final class Bounded: Bound { var number = 1 }
struct Failure: Error { var code = 7 }
struct Kilobyte { var words: InlineArray<128, Int> = .init(repeating: 3) }

enum Single: AutoPrism { case only(Int) }
enum SingleOfClass: AutoPrism { case only(Node) }
enum Plains: AutoPrism { case a, b, c }
enum OnePlain: AutoPrism { case only }
enum IntAndPlains: AutoPrism { case number(Int), a, b }
enum ClassAndPlains: AutoPrism { case node(Node), a, b }
enum TwoClasses: AutoPrism { case left(Node), right(Animal), none }
enum SameClass: AutoPrism { case left(Node), middle(Node), right(Node) }
enum SameInt: AutoPrism { case a(Int), b(Int), c(Int), none }
enum SameString: AutoPrism { case a(String), b(String), none }
enum Mixed: AutoPrism { case number(Int), text(String), node(Node), double(Double), none }
enum Arrays: AutoPrism { case numbers([Int]), texts([String]), none }
enum Bools: AutoPrism { case a(Bool), b(Bool), none }
enum Bytes: AutoPrism { case a(UInt8), b(UInt8), none }
enum Optionals: AutoPrism { case a(Int?), b(String?), c(Node?), none }
enum Nested: AutoPrism { case a(Int??), inner(Bools), plains(Plains) }
indirect enum Tree: AutoPrism { case leaf, value(Int), node(Tree, Tree), text(String) }
enum PartlyIndirect: AutoPrism { case direct(Int), boxed(String), more(PartlyIndirectMore), none }
indirect enum PartlyIndirectMore { case one(Int), next(PartlyIndirect) }
enum OneIndirect: AutoPrism {
    indirect case boxed(Int)
    indirect case boxedText(String)
    indirect case wide(SIMD4<Double>)
    case none
}
enum Vectors: AutoPrism { case a(SIMD4<Double>), b(SIMD2<Float>), c(UInt8), none }
enum Labelled: AutoPrism { case one(value: Int), two(x: Int, y: String), none }
enum Tuples: AutoPrism { case pair(Int, String), other(Int, String), triple(Node, Int, Bool) }
enum TupleValue: AutoPrism { case whole((Int, String)), split(Int, String), labelled(a: Int, b: String) }
enum Overloaded: AutoPrism { case a(x: Int), a(y: Int), none }
enum Voids: AutoPrism { case nothing(Void), number(Int), none, again(Void) }
struct Nothing {}
enum OneWay { case way }
enum Empties: AutoPrism { case way(OneWay), number(Int), nothing(Nothing), pair(Nothing, OneWay), none }
enum OnlyEmpty: AutoPrism { case way(OneWay) }
enum Nevers: AutoPrism { case never(Never), number(Int), none }
enum Generic<Value>: AutoPrism { case value(Value), pair(Value, Value), none }
enum GenericTwo<First, Second>: AutoPrism { case first(First), second(Second) }
enum Existentials: AutoPrism { case named(any Named), error(any Error), anything(Any), hashable(AnyHashable), none }
enum ClassExistentials: AutoPrism { case bound(any Bound), object(AnyObject), none }
enum Subclasses: AutoPrism { case animal(Animal), bird(Bird), none }
enum Weak: AutoPrism { case weak(WeakBox), strong(Node), none }
struct WeakBox { weak var node: Node? }
enum Large: AutoPrism { case small(Int), wide(Kilobyte), text(String), none }
enum Reflected: AutoPrism, CustomReflectable {
    case a(Int), b(Int)
    var customMirror: Mirror { Mirror(reflecting: 0) }
}
enum Described: AutoPrism, CustomStringConvertible, Equatable {
    case a, b, number(Int)
    var description: String { "the same" }
    static func == (_: Described, _: Described) -> Bool { true }
}
enum Raw: String, AutoPrism { case a, b, c }
enum Keyed: AutoPrism { case map([String: Int]), set(Set<Int>), range(Range<Int>), character(Character), none }
enum Pointers: AutoPrism { case raw(UnsafeRawPointer), key(AnyKeyPath), type(ObjectIdentifier), none }
enum StructsOfFunctions: AutoPrism { case action(Action), number(Int) }
struct Action { var run: @Sendable () -> Int }
enum HoldsAFunction: AutoPrism { case run(@Sendable () -> Int), number(Int), none }
enum NotANumber: AutoPrism { case value(Double), other(Double) }
extension Optional: AutoPrism {}
extension Result: AutoPrism {}
