import Optics

extension Shape {
    static let plain: [Shape] = [
        Shape("one case with a payload", Single.self, [.only(5)]) {
            $0.check(0, 5) { Single.prism(for: Single.only) }
        },
        Shape("cases without payload", Plains.self, [.a, .b, .c]) {
            $0.check(0, ()) { Plains.prism(for: Plains.a) }
            $0.check(1, ()) { Plains.prism(for: Plains.b) }
            $0.check(2, ()) { Plains.prism(for: .c) }
        },
        Shape("one case without payload", OnePlain.self, [.only]) {
            $0.check(0, ()) { OnePlain.prism(for: OnePlain.only) }
        },
        Shape("raw values", Raw.self, [.a, .b, .c]) {
            $0.check(1, ()) { Raw.prism(for: Raw.b) }
        },
        Shape("a number and plain cases", IntAndPlains.self, [.number(3), .a, .b]) {
            $0.check(0, 3) { IntAndPlains.prism(for: IntAndPlains.number) }
            $0.check(1, ()) { IntAndPlains.prism(for: IntAndPlains.a) }
            $0.check(2, ()) { IntAndPlains.prism(for: IntAndPlains.b) }
        },
        Shape("the same number in each", SameInt.self, [.a(0), .b(0), .c(0), .none]) {
            $0.check(0, 0) { SameInt.prism(for: SameInt.a) }
            $0.check(1, 0) { SameInt.prism(for: SameInt.b) }
            $0.check(2, 0) { SameInt.prism(for: SameInt.c) }
            $0.check(3, ()) { SameInt.prism(for: SameInt.none) }
        },
        Shape("the same text in each", SameString.self, [.a("x"), .b("a text too long for its place"), .none]) {
            $0.check(0, "x") { SameString.prism(for: SameString.a) }
            $0.check(1, "a text too long for its place") { SameString.prism(for: SameString.b) }
            $0.check(2, ()) { SameString.prism(for: SameString.none) }
        },
        Shape("Booleans", Bools.self, [.a(true), .b(true), .none]) {
            $0.check(0, true) { Bools.prism(for: Bools.a) }
            $0.check(1, true) { Bools.prism(for: Bools.b) }
            $0.check(2, ()) { Bools.prism(for: Bools.none) }
        },
        Shape("bytes", Bytes.self, [.a(255), .b(255), .none]) {
            $0.check(0, 255) { Bytes.prism(for: Bytes.a) }
            $0.check(1, 255) { Bytes.prism(for: Bytes.b) }
        },
        Shape("vectors", Vectors.self, [.a([1, 2, 3, 4]), .b([5, 6]), .c(7), .none]) {
            $0.check(0, [1, 2, 3, 4]) { Vectors.prism(for: Vectors.a) }
            $0.check(1, [5, 6]) { Vectors.prism(for: Vectors.b) }
            $0.check(2, 7) { Vectors.prism(for: Vectors.c) }
            $0.check(3, ()) { Vectors.prism(for: Vectors.none) }
        },
        Shape("a wide case", Large.self, [.small(1), .wide(Kilobyte()), .text("x"), .none]) {
            $0.check(0, 1) { Large.prism(for: Large.small) }
            $0.check(1, Kilobyte()) { Large.prism(for: Large.wide) }
            $0.check(2, "x") { Large.prism(for: Large.text) }
            $0.check(3, ()) { Large.prism(for: Large.none) }
        },
        Shape("NaN payloads", NotANumber.self, [.value(.nan), .other(.nan)]) {
            $0.check(0, Double.nan) { NotANumber.prism(for: NotANumber.value) }
            $0.check(1, Double.nan) { NotANumber.prism(for: NotANumber.other) }
        },
    ]

    static let managed: [Shape] = [
        Shape("one case with an object", SingleOfClass.self, [.only(Node())]) {
            $0.check(0, Node()) { SingleOfClass.prism(for: SingleOfClass.only) }
        },
        Shape("an object and plain cases", ClassAndPlains.self, [.node(Node()), .a, .b]) {
            $0.check(0, Node()) { ClassAndPlains.prism(for: ClassAndPlains.node) }
            $0.check(1, ()) { ClassAndPlains.prism(for: ClassAndPlains.a) }
            $0.check(2, ()) { ClassAndPlains.prism(for: ClassAndPlains.b) }
        },
        Shape("objects of two classes", TwoClasses.self, [.left(Node()), .right(Animal()), .none]) {
            $0.check(0, Node()) { TwoClasses.prism(for: TwoClasses.left) }
            $0.check(1, Animal()) { TwoClasses.prism(for: TwoClasses.right) }
            $0.check(2, ()) { TwoClasses.prism(for: TwoClasses.none) }
        },
        Shape("objects of one class", SameClass.self, [.left(Node()), .middle(Node()), .right(Node())]) {
            $0.check(0, Node()) { SameClass.prism(for: SameClass.left) }
            $0.check(1, Node()) { SameClass.prism(for: SameClass.middle) }
            $0.check(2, Node()) { SameClass.prism(for: SameClass.right) }
        },
        Shape("a class and its subclass", Subclasses.self, [.animal(Bird()), .bird(Bird()), .none]) {
            $0.check(0, Bird() as Animal) { Subclasses.prism(for: Subclasses.animal) }
            $0.check(1, Bird()) { Subclasses.prism(for: Subclasses.bird) }
        },
        Shape("a weak reference", Weak.self, [.weak(WeakBox()), .strong(Node()), .none]) {
            $0.check(0, WeakBox()) { Weak.prism(for: Weak.weak) }
            $0.check(1, Node()) { Weak.prism(for: Weak.strong) }
            $0.check(2, ()) { Weak.prism(for: Weak.none) }
        },
        Shape("mixed payloads", Mixed.self, [.number(1), .text("text"), .node(Node()), .double(2.5), .none]) {
            $0.check(0, 1) { Mixed.prism(for: Mixed.number) }
            $0.check(1, "text") { Mixed.prism(for: Mixed.text) }
            $0.check(2, Node()) { Mixed.prism(for: Mixed.node) }
            $0.check(3, 2.5) { Mixed.prism(for: Mixed.double) }
            $0.check(4, ()) { Mixed.prism(for: Mixed.none) }
        },
        Shape("arrays", Arrays.self, [.numbers([1, 2]), .texts(["a"]), .none]) {
            $0.check(0, [1, 2]) { Arrays.prism(for: Arrays.numbers) }
            $0.check(1, ["a"]) { Arrays.prism(for: Arrays.texts) }
        },
        Shape("collections", Keyed.self, [.map(["a": 1]), .set([1]), .range(1..<2), .character("c"), .none]) {
            $0.check(0, ["a": 1]) { Keyed.prism(for: Keyed.map) }
            $0.check(1, [1]) { Keyed.prism(for: Keyed.set) }
            $0.check(2, 1..<2) { Keyed.prism(for: Keyed.range) }
            $0.check(3, "c") { Keyed.prism(for: Keyed.character) }
        },
        Shape("any", Existentials.self, existentials()) {
            $0.check(0, Plain() as any Named) { Existentials.prism(for: Existentials.named) }
            $0.check(1, Failure() as any Error) { Existentials.prism(for: Existentials.error) }
            $0.check(2, Wide() as Any) { Existentials.prism(for: Existentials.anything) }
            $0.check(3, AnyHashable(3)) { Existentials.prism(for: Existentials.hashable) }
            $0.check(4, ()) { Existentials.prism(for: Existentials.none) }
        },
        Shape("any object", ClassExistentials.self, [.bound(Bounded()), .object(Node()), .none]) {
            $0.check(0, Bounded() as any Bound) { ClassExistentials.prism(for: ClassExistentials.bound) }
            $0.check(1, Node() as AnyObject) { ClassExistentials.prism(for: ClassExistentials.object) }
        },
        Shape("pointers", Pointers.self, pointers()) {
            $0.check(0, UnsafeRawPointer(bitPattern: 16)!) { Pointers.prism(for: Pointers.raw) }
            $0.check(1, \String.count as AnyKeyPath) { Pointers.prism(for: Pointers.key) }
            $0.check(2, ObjectIdentifier(Int.self)) { Pointers.prism(for: Pointers.type) }
        },
        Shape("a function within a struct", StructsOfFunctions.self, [.action(Action { 5 }), .number(1)]) {
            $0.check(0, Action { 5 }) { StructsOfFunctions.prism(for: StructsOfFunctions.action) }
            $0.check(1, 1) { StructsOfFunctions.prism(for: StructsOfFunctions.number) }
        },
        Shape("a function in another case", HoldsAFunction.self, [.run({ 5 }), .number(1), .none]) {
            $0.check(1, 1) { HoldsAFunction.prism(for: HoldsAFunction.number) }
            $0.check(2, ()) { HoldsAFunction.prism(for: HoldsAFunction.none) }
        },
    ]

    private static func existentials() -> [Existentials] {
        [.named(Plain()), .error(Failure()), .anything(Wide()), .hashable(3), .none]
    }

    private static func pointers() -> [Pointers] {
        [.raw(UnsafeRawPointer(bitPattern: 16)!), .key(\String.count), .type(ObjectIdentifier(Int.self)), .none]
    }

    static let structured: [Shape] = [
        Shape("optionals, present", Optionals.self, [.a(1), .b("x"), .c(Node()), .none]) {
            $0.check(0, 1) { Optionals.prism(for: Optionals.a) }
            $0.check(1, "x") { Optionals.prism(for: Optionals.b) }
            $0.check(2, Node()) { Optionals.prism(for: Optionals.c) }
        },
        Shape("optionals, absent", Optionals.self, [.a(nil), .b(nil), .c(nil), .none]) {
            $0.check(0, nil) { Optionals.prism(for: Optionals.a) }
            $0.check(1, nil) { Optionals.prism(for: Optionals.b) }
            $0.check(2, nil) { Optionals.prism(for: Optionals.c) }
            $0.check(3, ()) { Optionals.prism(for: Optionals.none) }
        },
        Shape("nested enums", Nested.self, [.a(.some(nil)), .inner(.b(true)), .plains(.c)]) {
            $0.check(0, .some(nil)) { Nested.prism(for: Nested.a) }
            $0.check(1, .b(true)) { Nested.prism(for: Nested.inner) }
            $0.check(2, .c) { Nested.prism(for: Nested.plains) }
        },
        Shape("an optional itself", Int?.self, [5, nil]) {
            $0.check(0, 5) { Int?.prism(for: Int?.some) }
            $0.check(1, ()) { Int?.prism(for: Int?.none) }
        },
        Shape("an optional of an optional", String??.self, ["a", .some(nil), nil]) {
            $0.check(2, ()) { String??.prism(for: String??.none) }
        },
        Shape("a result", Result<Int, Failure>.self, [.success(5), .failure(Failure())]) {
            $0.check(0, 5) { Result.prism(for: Result<Int, Failure>.success) }
            $0.check(1, Failure()) { Result.prism(for: Result<Int, Failure>.failure) }
        },
        Shape("a tree", Tree.self, [.leaf, .value(5), .node(.leaf, .value(1)), .text("x")]) {
            $0.check(0, ()) { Tree.prism(for: Tree.leaf) }
            $0.check(1, 5) { Tree.prism(for: Tree.value) }
            $0.check(2, (.leaf, .value(1))) { Tree.prism(for: Tree.node) }
            $0.check(3, "x") { Tree.prism(for: Tree.text) }
        },
        Shape("nested indirect", PartlyIndirect.self, [.direct(1), .boxed("a"), .more(.next(.direct(2))), .none]) {
            $0.check(0, 1) { PartlyIndirect.prism(for: PartlyIndirect.direct) }
            $0.check(1, "a") { PartlyIndirect.prism(for: PartlyIndirect.boxed) }
            $0.check(2, .next(.direct(2))) { PartlyIndirect.prism(for: PartlyIndirect.more) }
        },
        Shape("indirect cases", OneIndirect.self, [.boxed(1), .boxedText("a"), .wide([1, 2, 3, 4]), .none]) {
            $0.check(0, 1) { OneIndirect.prism(for: OneIndirect.boxed) }
            $0.check(1, "a") { OneIndirect.prism(for: OneIndirect.boxedText) }
            $0.check(2, [1, 2, 3, 4]) { OneIndirect.prism(for: OneIndirect.wide) }
            $0.check(3, ()) { OneIndirect.prism(for: OneIndirect.none) }
        },
        Shape("labels", Labelled.self, [.one(value: 1), .two(x: 2, y: "b"), .none]) {
            $0.check(0, 1) { Labelled.prism(for: Labelled.one) }
            $0.check(1, (2, "b")) { Labelled.prism(for: Labelled.two) }
        },
        Shape("several values", Tuples.self, [.pair(1, "a"), .other(1, "a"), .triple(Node(), 2, true)]) {
            $0.check(0, (1, "a")) { Tuples.prism(for: Tuples.pair) }
            $0.check(1, (1, "a")) { Tuples.prism(for: Tuples.other) }
            $0.check(2, (Node(), 2, true)) { Tuples.prism(for: Tuples.triple) }
        },
        Shape("a tuple as one value", TupleValue.self, [.whole((1, "a")), .split(1, "a"), .labelled(a: 1, b: "a")]) {
            $0.check(0, (1, "a")) { TupleValue.prism(for: TupleValue.whole) }
            $0.check(1, (1, "a")) { TupleValue.prism(for: TupleValue.split) }
            $0.check(2, (1, "a")) { TupleValue.prism(for: TupleValue.labelled) }
        },
        Shape("one name, two labels", Overloaded.self, [.a(x: 1), .a(y: 1), .none]) {
            $0.check(0, 1) { Overloaded.prism(for: Overloaded.a(x:)) }
            $0.check(1, 1) { Overloaded.prism(for: Overloaded.a(y:)) }
        },
        Shape("void payloads", Voids.self, [.nothing(()), .number(1), .none, .again(())]) {
            $0.check(0, ()) { Voids.prism(for: Voids.nothing) }
            $0.check(1, 1) { Voids.prism(for: Voids.number) }
            $0.check(2, ()) { Voids.prism(for: Voids.none) }
            $0.check(3, ()) { Voids.prism(for: Voids.again) }
        },
        Shape(
            "empty payloads", Empties.self,
            [.way(.way), .number(1), .nothing(Nothing()), .pair(Nothing(), .way), .none]
        ) {
            $0.check(0, .way) { Empties.prism(for: Empties.way) }
            $0.check(1, 1) { Empties.prism(for: Empties.number) }
            $0.check(2, Nothing()) { Empties.prism(for: Empties.nothing) }
            $0.check(3, (Nothing(), .way)) { Empties.prism(for: Empties.pair) }
            $0.check(4, ()) { Empties.prism(for: Empties.none) }
        },
        Shape("only an empty payload", OnlyEmpty.self, [.way(.way)]) {
            $0.check(0, .way) { OnlyEmpty.prism(for: OnlyEmpty.way) }
        },
        Shape("generic, of an empty struct", GenericTwo<Nothing, Int>.self, [.first(Nothing()), .second(1)]) {
            $0.check(0, Nothing()) { GenericTwo.prism(for: GenericTwo<Nothing, Int>.first) }
            $0.check(1, 1) { GenericTwo.prism(for: GenericTwo<Nothing, Int>.second) }
        },
        Shape("an uninhabited case", Nevers.self, [.number(1), .none]) {
            $0.check(0, 1) { Nevers.prism(for: Nevers.number) }
            $0.check(1, ()) { Nevers.prism(for: Nevers.none) }
        },
        Shape("generic, of a number", Generic<Int>.self, [.value(1), .pair(2, 3), .none]) {
            $0.check(0, 1) { Generic.prism(for: Generic<Int>.value) }
            $0.check(1, (2, 3)) { Generic.prism(for: Generic<Int>.pair) }
            $0.check(2, ()) { Generic.prism(for: Generic<Int>.none) }
        },
        Shape("generic, of a text", Generic<String>.self, [.value("a"), .pair("b", "c"), .none]) {
            $0.check(0, "a") { Generic.prism(for: Generic<String>.value) }
            $0.check(1, ("b", "c")) { Generic.prism(for: Generic<String>.pair) }
        },
        Shape("generic, of two equal types", GenericTwo<Int, Int>.self, [.first(1), .second(1)]) {
            $0.check(0, 1) { GenericTwo.prism(for: GenericTwo<Int, Int>.first) }
            $0.check(1, 1) { GenericTwo.prism(for: GenericTwo<Int, Int>.second) }
        },
        Shape("generic, of Void", GenericTwo<Void, Int>.self, [.first(()), .second(1)]) {
            $0.check(0, ()) { GenericTwo.prism(for: GenericTwo<Void, Int>.first) }
            $0.check(1, 1) { GenericTwo.prism(for: GenericTwo<Void, Int>.second) }
        },
        Shape("a custom mirror", Reflected.self, [.a(5), .b(5)]) {
            $0.check(0, 5) { Reflected.prism(for: Reflected.a) }
            $0.check(1, 5) { Reflected.prism(for: Reflected.b) }
        },
        Shape("equal values with equal descriptions", Described.self, [.a, .b, .number(1)]) {
            $0.check(0, ()) { Described.prism(for: Described.a) }
            $0.check(1, ()) { Described.prism(for: Described.b) }
            $0.check(2, 1) { Described.prism(for: Described.number) }
        },
    ]
}
