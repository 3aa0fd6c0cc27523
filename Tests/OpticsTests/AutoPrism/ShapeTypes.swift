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
enum IntAndPlains: AutoPrism {
    case number(Int)
    case a, b
}
enum ClassAndPlains: AutoPrism {
    case node(Node)
    case a, b
}
enum TwoClasses: AutoPrism {
    case left(Node)
    case right(Animal)
    case none
}
enum SameClass: AutoPrism {
    case left(Node)
    case middle(Node)
    case right(Node)
}
enum SameInt: AutoPrism {
    case a(Int)
    case b(Int)
    case c(Int)
    case none
}
enum SameString: AutoPrism {
    case a(String)
    case b(String)
    case none
}
enum Mixed: AutoPrism {
    case number(Int)
    case text(String)
    case node(Node)
    case double(Double)
    case none
}
enum Arrays: AutoPrism {
    case numbers([Int])
    case texts([String])
    case none
}
enum Bools: AutoPrism {
    case a(Bool)
    case b(Bool)
    case none
}
enum Bytes: AutoPrism {
    case a(UInt8)
    case b(UInt8)
    case none
}
enum Optionals: AutoPrism {
    case a(Int?)
    case b(String?)
    case c(Node?)
    case none
}
enum Nested: AutoPrism {
    case a(Int??)
    case inner(Bools)
    case plains(Plains)
}
indirect enum Tree: AutoPrism {
    case leaf
    case value(Int)
    case node(Tree, Tree)
    case text(String)
}
enum PartlyIndirect: AutoPrism {
    case direct(Int)
    case boxed(String)
    case more(PartlyIndirectMore)
    case none
}
indirect enum PartlyIndirectMore {
    case one(Int)
    case next(PartlyIndirect)
}
enum OneIndirect: AutoPrism {
    indirect case boxed(Int)
    indirect case boxedText(String)
    indirect case wide(SIMD4<Double>)
    case none
}
enum Vectors: AutoPrism {
    case a(SIMD4<Double>)
    case b(SIMD2<Float>)
    case c(UInt8)
    case none
}
enum Labelled: AutoPrism {
    case one(value: Int)
    case two(x: Int, y: String)
    case none
}
enum Tuples: AutoPrism {
    case pair(Int, String)
    case other(Int, String)
    case triple(Node, Int, Bool)
}
enum TupleValue: AutoPrism {
    case whole((Int, String))
    case split(Int, String)
    case labelled(a: Int, b: String)
}
enum Overloaded: AutoPrism {
    case a(x: Int)
    case a(y: Int)
    case none
}
enum Voids: AutoPrism {
    case nothing(Void)
    case number(Int)
    case none
    case again(Void)
}
struct Nothing {}
enum OneWay { case way }
enum Empties: AutoPrism {
    case way(OneWay)
    case number(Int)
    case nothing(Nothing)
    case pair(Nothing, OneWay)
    case none
}
enum OnlyEmpty: AutoPrism { case way(OneWay) }
enum Nevers: AutoPrism {
    case never(Never)
    case number(Int)
    case none
}
enum Generic<Value>: AutoPrism {
    case value(Value)
    case pair(Value, Value)
    case none
}
enum GenericTwo<First, Second>: AutoPrism {
    case first(First)
    case second(Second)
}
enum Existentials: AutoPrism {
    case named(any Named)
    case error(any Error)
    case anything(Any)
    case hashable(AnyHashable)
    case none
}
enum ClassExistentials: AutoPrism {
    case bound(any Bound)
    case object(AnyObject)
    case none
}
enum Subclasses: AutoPrism {
    case animal(Animal)
    case bird(Bird)
    case none
}
enum Weak: AutoPrism {
    case weak(WeakBox)
    case strong(Node)
    case none
}
struct WeakBox { weak var node: Node? }
enum Large: AutoPrism {
    case small(Int)
    case wide(Kilobyte)
    case text(String)
    case none
}
enum Reflected: AutoPrism, CustomReflectable {
    case a(Int)
    case b(Int)
    var customMirror: Mirror { Mirror(reflecting: 0) }
}
enum Described: AutoPrism, CustomStringConvertible, Equatable {
    case a, b
    case number(Int)
    var description: String { "the same" }
    static func == (_: Described, _: Described) -> Bool { true }
}
enum Raw: String, AutoPrism { case a, b, c }
enum Keyed: AutoPrism {
    case map([String: Int])
    case set(Set<Int>)
    case range(Range<Int>)
    case character(Character)
    case none
}
enum Pointers: AutoPrism {
    case raw(UnsafeRawPointer)
    case key(AnyKeyPath)
    case type(ObjectIdentifier)
    case none
}
enum StructsOfFunctions: AutoPrism {
    case action(Action)
    case number(Int)
}
struct Action { var run: @Sendable () -> Int }
enum HoldsAFunction: AutoPrism {
    case run(@Sendable () -> Int)
    case number(Int)
    case none
}
enum NotANumber: AutoPrism {
    case value(Double)
    case other(Double)
}
extension Optional: AutoPrism {}
extension Result: AutoPrism {}
