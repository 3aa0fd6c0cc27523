import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import TestSupport
import Testing

private struct Shop: Equatable, Sendable {
    var orders: [Order] = []
    var opened: Set<Int> = []
}

private struct Order: Equatable, Sendable {
    let id: Int
    var lines: [Int] = []
    var note: String?
    var total: Int { lines.reduce(0, +) }
}

@Suite("Folds", .timeLimit(.minutes(10)))
struct FoldTests {
    private let orders = Lens(\Shop.orders).each
    private let shop = Shop(
        orders: [Order(id: 1, lines: [5, 2], note: "a"), Order(id: 2), Order(id: 3, lines: [9])], opened: [7])

    @Test func propertiesWithoutASetterAreRead() {
        let ids: Fold<Shop, Int> = orders.appending(Fold(\Order.id))
        let totals: Fold<Shop, Int> = orders.asFold.total

        #expect(ids.getAll(shop) == [1, 2, 3])
        #expect(totals.getAll(shop) == [7, 0, 9])
        #expect(orders.asFold.lines.each.getAll(shop) == [5, 2, 9])
        #expect(orders.asFold.note.some().getAll(shop) == ["a"])
    }

    @Test func aFoldAndATraversalHaveTheSameOperations() {
        func check(_ parts: some PartsProtocol<[Int], Int>) {
            let numbers = [3, 1, 2]
            #expect(parts.getAll(numbers) == numbers)
            #expect(parts.first(numbers) == 3 && parts.last(numbers) == 2)
            #expect(parts.first([]) == nil && parts.last([]) == nil)
            #expect(parts.first(numbers) { $0 < 3 } == 1)
            #expect(parts.first(numbers) { $0 > 3 } == nil)
            #expect(parts.count(numbers) == 3 && !parts.isEmpty(numbers) && parts.isEmpty([]))
            #expect(parts.contains(numbers) { $0 == 2 } && !parts.contains(numbers) { $0 == 4 })
            #expect(parts.allSatisfy(numbers) { $0 < 4 } && !parts.allSatisfy(numbers) { $0 < 3 })
            #expect(parts.reduce(numbers, into: 10) { $0 -= $1 } == 4)
            #expect(parts.foldMap(numbers) { "\($0)" } == "312")
            #expect(parts.foldMap([]) { "\($0)" } == "")
            #expect(parts.filter { $0 != 1 }.getAll(numbers) == [3, 2])
        }
        check(Traversal<[Int], Int>.each)
        check(Fold<[Int], Int>.each)
    }

    @Test func aFoldReadsCollectionsThatCannotBeChangedInPlace() {
        let opened: Fold<Shop, Int> = Lens(\Shop.opened).each

        #expect(opened.getAll(shop) == [7])
        #expect(Fold<Range<Int>, Int>.each.getAll(1..<4) == [1, 2, 3])
        #expect(Fold<String, Character>.each.filter { $0.isNumber }.getAll("a1b2") == ["1", "2"])
        #expect(Lens<[String: Int], [String: Int]>.identity.asFold.keys.each.getAll(["a": 1]) == ["a"])
    }

    @Test func opticsIntoCollectionsAreAppendedToAFold() {
        let lines = orders.filter { $0.id != 2 }.lines
        let ages = Fold(\App.ages)

        #expect(lines.appending(Affine.index(1)).getAll(shop) == [2])
        #expect(ages.appending(Lens.at("a")).some().getAll(App(ages: ["a": 1])) == [1])
        #expect(ages.values.each.getAll(App(ages: ["a": 1])) == [1])
    }

    /// A traversal of the same parts would break the laws; see the next test.
    @Test func aFilterOfATraversalIsAFold() {
        let large: Fold<Shop, Order> = orders.filter { $0.total > 0 }

        #expect(large.id.getAll(shop) == [1, 3])
        #expect(large.lines.each.first(shop) { $0 > 5 } == 9)
        #expect(large.filter { $0.id > 1 }.count(shop) == 1)
    }

    @Test func aTraversalThatFiltersBreaksTheLaws() async {
        let positive = Fold<[Int], Int>.each.filter { $0 > 0 }
        let filtering = Traversal<[Int], Int>(
            visit: { numbers, visit in
                for number in positive.getAll(numbers) { guard visit(number) else { return } }
            },
            modify: { numbers, change in
                for index in numbers.indices where numbers[index] > 0 { change(&numbers[index]) }
            }
        )
        for law in [TraversalLaw.readWhatYouChanged, .twoChangesAreOne] {
            #expect(await law.property(of: filtering, whole: [Int].gen, part: Int.gen).falsify() != nil, "\(law)")
        }
        for law in FoldLaw.allCases {
            #expect(await law.property(of: filtering.asFold, whole: [Int].gen, part: Int.gen).falsify() == nil)
        }
    }

    @Test func aFoldStopsAtItsFirstAnswer() {
        let visited = Record<Int>()
        let counting = Fold<[Int], Int>.each.filter {
            visited.append($0)
            return true
        }
        let both = counting.combine(counting)

        #expect(both.first([1, 2]) == 1)
        #expect(visited.values == [1])
        #expect(both.first([1, 2]) { $0 == 2 } == 2)
        #expect(visited.values == [1, 1, 2])
    }

    /// The function of a fold should stop when its closure returns `false`. One that goes on has the same answers.
    @Test func partsAfterTheEndOfAVisitAreIgnored() {
        let endless = Traversal<[Int], Int>(
            visit: { numbers, visit in for number in numbers { _ = visit(number) } },
            modify: { numbers, change in for index in numbers.indices { change(&numbers[index]) } })
        let identity = Fold<Int, Int>.identity
        let folds = [
            endless.asFold, endless.asFold.appending(identity), Fold.identity.appending(endless.asFold),
            endless.filter { _ in true }, endless.asFold.combine(.empty), Fold.empty.combine(endless.asFold),
            endless.appending(Lens<Int, Int>.identity).asFold,
        ]
        for fold in folds {
            #expect(fold.first([3, 1, 2]) == 3 && fold.first([]) == nil)
            #expect(fold.first([3, 1, 2]) { $0 < 3 } == 1)
            #expect(fold.contains([3, 1, 2]) { $0 == 3 } && !fold.contains([3, 1, 2]) { $0 == 4 })
            #expect(fold.allSatisfy([3, 1, 2]) { $0 < 4 } && !fold.allSatisfy([3, 1, 2]) { $0 < 3 })
            #expect(!fold.isEmpty([3, 1]) && fold.isEmpty([]))
            #expect(fold.combine(fold).first([3, 1]) == 3)
        }
        #expect(endless.first([3, 1, 2]) == 3)
    }

    @Test func noErrorIsThrownAfterTheEndOfAVisit() throws {
        let endless = Fold<[Int], Int>(visit: { numbers, visit in for number in numbers { _ = visit(number) } })
        var seen: [Int] = []
        #expect(
            try endless.contains([1, 2]) { number throws(Refusal) in
                if number == 2 { throw Refusal() }
                return true
            })
        #expect(throws: Refusal()) {
            try endless.reduce([1, 2, 3], into: ()) { (_: inout Void, number) throws(Refusal) in
                seen.append(number)
                if number == 2 { throw Refusal() }
            }
        }
        #expect(seen == [1, 2])
    }

    @Test func anErrorStopsAFold() {
        let each = Fold<[Int], Int>.each
        var seen: [Int] = []
        #expect(throws: Refusal()) {
            try each.reduce([1, 2, 3], into: 0) { (sum: inout Int, number) throws(Refusal) in
                seen.append(number)
                if number == 2 { throw Refusal() }
                sum += number
            }
        }
        #expect(seen == [1, 2])
        #expect(throws: Refusal()) { try each.first([1]) { _ throws(Refusal) in throw Refusal() } }
        #expect(throws: Refusal()) { try each.foldMap([1]) { _ throws(Refusal) -> String in throw Refusal() } }
    }

    /// A closure of a fold may read with the same fold again.
    @Test func readsMayNest() {
        let each = Fold<[Int], Int>.each
        let pairs = each.reduce([1, 2], into: [Int]()) { all, outer in
            each.reduce([1, 2], into: ()) { _, inner in all.append(outer * 10 + inner) }
        }
        #expect(pairs == [11, 12, 21, 22])
    }

    @Test func anOptionalPartIsNoAbsentPart() {
        let each = Fold<[Int?], Int?>.each
        #expect(each.first([nil, 1]) == .some(nil))
        #expect(each.last([1, nil]) == .some(nil))
        #expect(each.first([nil]) { $0 == nil } == .some(nil))
        #expect(each.first([Int?]()) == nil)
    }

    @Test func aFunctionMayTakeAnyOptic() {
        func readAll<Part>(_ optic: some FoldProtocol<Shop, Part>) -> [Part] { optic.asFold.getAll(shop) }

        #expect(readAll(Lens(\Shop.opened)) == [[7]])
        #expect(readAll(Lens(\Shop.orders).index(0).note.some()) == ["a"])
        #expect(readAll(Prism<Shop, Shop>.identity) == [shop])
        #expect(readAll(Iso<Shop, Shop>.identity) == [shop])
        #expect(readAll(orders.lines.each) == [5, 2, 9])
        #expect(readAll(orders.filter { $0.id == 2 }.id) == [2])
    }

    @Test(arguments: MonoidLaw.allCases)
    func foldsAreAMonoid(_ law: MonoidLaw) async {
        let each = Fold<[Int], Int>.each
        let folds = Gen.element(of: [0, 1, 2, 3]).map { least in each.filter { $0 >= least } }
        await law.property(of: folds) { left, right in left.getAll([3, 1, 2, 0]) == right.getAll([3, 1, 2, 0]) }.check()
    }

    @Test func manyFoldsAreCombinedInLinearTimeAndConstantStackSpace() {
        let folds = (0..<200_000).map { number in Fold<Int, Int>(visit: { whole, visit in _ = visit(whole + number) }) }
        let all = Fold.combineAll(folds)
        #expect(all.getAll(1) == Array(1...200_000))
        #expect(all.contains(1) { $0 == 3 } && all.first(1) == 1)
        #expect(Fold<Int, Int>.combineAll([]).isEmpty(1))
    }

    @Test func foldsThatAreCombinedStopAtTheFirstAnswer() {
        let visited = Guarded<[Int]>([])
        let folds = [[1, 2], [], [3]].map { numbers in
            Fold<Void, Int>(visit: { _, visit in
                for number in numbers {
                    visited.withLock { $0.append(number) }
                    guard visit(number) else { return }
                }
            })
        }
        #expect(Fold.combineAll(folds).contains(()) { $0 == 2 })
        #expect(visited.value == [1, 2])
        #expect(Fold.combineAll(folds).getAll(()) == [1, 2, 3])
    }

    @Test func aMillionPartsAreRead() {
        let numbers = 0..<1_000_000
        let each = Fold<Range<Int>, Int>.each
        #expect(each.reduce(numbers, into: 0) { $0 += $1 } == 499_999_500_000)
        #expect(each.filter { $0 % 2 == 0 }.count(numbers) == 500_000)
    }
}
