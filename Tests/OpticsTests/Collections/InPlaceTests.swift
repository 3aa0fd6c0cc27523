import Optics
import TestSupport
import Testing

/// An update of one element does not copy the collection that contains it.
///
/// The tests compare the address of the array's elements. A copy would have another address.
@Suite("In-place updates", .timeLimit(.minutes(10)))
struct InPlaceTests {
    private struct Deep {
        var box = Box()
        var choice = Choice.numbers(Array(repeating: 0, count: 1_000))
        var optional: [Int]? = Array(repeating: 0, count: 1_000)
        var byName = ["a": Array(repeating: 0, count: 1_000)]
        var items = [Item(id: 1), Item(id: 2)]
        var loaded = Result<[Int], Refusal>.success(Array(repeating: 0, count: 1_000))
    }

    private struct Box: Equatable {
        var numbers = Array(repeating: 0, count: 1_000)
    }

    private struct Item: Identifiable {
        var id: Int
        var numbers = Array(repeating: 0, count: 1_000)
    }

    private enum Choice {
        case none
        case numbers([Int])
        case text(String)
    }

    private static let deep = Lens<Deep, Deep>.identity
    private static let numbers = Prism(Choice.numbers) { if case .numbers(let all) = $0 { all } else { nil } }
    private static let unboxed = Iso<Box, [Int]>(get: { $0.numbers }, reverseGet: { Box(numbers: $0) })

    @Test func changesThroughLensesAreMadeInPlace() {
        var deep = Deep()
        #expect(Self.staysInPlace(&deep, Self.deep.box.numbers))
        #expect(Self.staysInPlace(&deep, Lens(\Deep.box.numbers)))
        #expect(Self.staysInPlace(&deep, Lens(\Deep.box).appending(Lens(\Box.numbers))))
    }

    @Test func changesThroughPrismsAndIsosAreMadeInPlace() {
        var deep = Deep()
        #expect(Self.staysInPlace(&deep, Self.deep.choice.appending(Self.numbers)))
        #expect(Self.staysInPlace(&deep, Self.deep.optional.some()))
        #expect(Self.staysInPlace(&deep, Self.deep.box.appending(Self.unboxed)))
        #expect(Self.staysInPlace(&deep, Self.deep.loaded.appending(Prism.success())))
        #expect(Self.staysInPlace(&deep, Self.deep.items.element(id: 9).numbers.orElse(Self.deep.box.numbers)))
        #expect(Self.staysInPlace(&deep, Self.deep.box.numbers.orElse(Self.deep.items.element(id: 1).numbers)))
    }

    @Test func changesThroughCollectionsAreMadeInPlace() {
        var deep = Deep()
        #expect(Self.staysInPlace(&deep, Self.deep.byName.at("a").some()))
        #expect(Self.staysInPlace(&deep, Self.deep.byName.element(id: "a")))
        #expect(Self.staysInPlace(&deep, Self.deep.items.index(1).numbers))
        #expect(Self.staysInPlace(&deep, Self.deep.items.element(id: 2).numbers))
        #expect(Self.staysInPlace(&deep, Self.deep.items.element(id: 2, by: \.id).numbers))
        #expect(Self.staysInPlace(&deep, Self.deep.items.each.numbers))
        #expect(Self.staysInPlace(&deep, Self.deep.byName.eachValue()))
    }

    @Test func aLensMadeOfGetAndSetCopies() {
        var deep = Deep()
        let copying = Lens<Deep, [Int]>(
            get: { $0.box.numbers },
            set: { deep, numbers in
                var deep = deep
                deep.box.numbers = numbers
                return deep
            }
        )
        #expect(!Self.staysInPlace(&deep, copying))
    }

    /// A collection that counts the uses of its elements.
    private struct Watched: MutableCollection, RandomAccessCollection {
        private var numbers = Array(repeating: 0, count: 1_000)
        private(set) var uses: [Int] = []

        var startIndex: Int { 0 }
        var endIndex: Int { numbers.count }

        subscript(index: Int) -> Int {
            get { numbers[index] }
            set {
                uses.append(index)
                numbers[index] = newValue
            }
        }
    }

    @Test func changingAnElementUsesNoOther() {
        var numbers = Array(repeating: 0, count: 1_000)
        func address() -> UInt { numbers.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let before = address()
        Affine<[Int], Int>.index(2).modify(&numbers) { $0 += 1 }
        #expect(address() == before)
        var watched = Watched()
        Affine<Watched, Int>.index(2).modify(&watched) { $0 += 1 }
        #expect(watched[2] == 1)
        #expect(watched.uses == [2])
    }

    private static func staysInPlace(_ deep: inout Deep, _ optic: some TraversalProtocol<Deep, [Int]>) -> Bool {
        func addresses(_ deep: inout Deep) -> [UInt] {
            var all: [UInt] = []
            optic.asTraversal.modify(&deep) { numbers in
                numbers[0] += 1
                numbers.withUnsafeBufferPointer { all.append(UInt(bitPattern: $0.baseAddress)) }
            }
            return all
        }
        let before = addresses(&deep)
        return before == addresses(&deep) && !before.isEmpty
    }
}
