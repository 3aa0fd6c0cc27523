import FunctionalCore
import TestSupport
import Testing

@Suite("binding of State", .timeLimit(.minutes(10)))
struct StateBindingTests {
    private typealias Count = State<Int, Int>

    private static let next = Count.update { count in
        count += 1
        return count
    }

    @Test func stepsRunInOrderOnOneStateAndReadEarlierVariables() {
        let (a, b) = (Count.var(), Count.var())
        let program = binding(
            a <- Self.next,
            |<-State<Int, Void>.modify { $0 * 10 },
            b <- .inspect { $0 + a.get },
            |<-.set(b.get),
            yield: [a.get, b.get]
        )
        let (values, state) = program.run(4)
        #expect(values == [5, 55])
        #expect(state == 55)
    }

    @Test func aBindingMayBeEmptyAndMayRebindAVariable() {
        #expect(binding(|<-Count.pure(1), yield: 7).run(3) == (7, 3))
        let a = Count.var()
        #expect(binding(a <- Self.next, a <- .pure(a.get * 2), yield: a.get).run(0) == (2, 1))
    }

    @Test func nestedBindingsReadOuterVariablesAndRestoreThem() {
        let (a, b) = (Count.var(), Count.var())
        let inner = binding(a <- .pure(100), yield: a.get)
        let outer = binding(a <- Self.next, b <- inner, yield: a.get + b.get).map { $0 + 1 }
        #expect(outer.run(0) == (102, 1))
        let reading = binding(b <- Self.next, yield: a.get + b.get)
        #expect(binding(a <- Self.next, b <- reading, yield: b.get).run(0) == (3, 2))
    }

    @Test func aStateOfABindingOfProgramsReadsTheVariablesOfBoth() {
        let number = EnvIO<Int, Never, Int>.var()
        let a = Count.var()
        let program = binding(
            number <- .ask(),
            yield: binding(
                a
                    <- .update {
                        $0 += number.get
                        return $0
                    }, yield: a.get + number.get))
        #expect(program.runSync(10).run(1) == (21, 11))
    }

    @Test func oneBindingRunsManyTimesConcurrently() async {
        let (a, b) = (Count.var(), Count.var())
        let program = binding(a <- .get(), b <- Self.next, yield: a.get * 1_000 + b.get)
        await withTaskGroup { group in
            for number in 0..<200 { group.addTask { #expect(program.eval(number) == number * 1_001 + 1) } }
        }
    }

    @Test func theStateIsChangedInPlace() {
        typealias Cells = State<[Int], Int>
        let a = Cells.var()
        let step = binding(
            a
                <- .update {
                    $0[500] += 1
                    return $0[500]
                }, |<-Cells.inspect { $0.count }, yield: a.get)
        var numbers = Array(repeating: 0, count: 1_000)
        let before = numbers.withUnsafeBufferPointer { $0.baseAddress }
        #expect([step, step].sequence().run(&numbers) == [1, 2])
        #expect(numbers.withUnsafeBufferPointer { $0.baseAddress } == before)
    }

    @Test func readingAVariableBeforeItsStepTraps() async throws {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (a, b) = (State<Int, Int>.var(), State<Int, Int>.var())
            _ = binding(a <- .pure(b.get), b <- .get(), yield: a.get).run(1)
        }?.expectError(
            "A bound variable of type Int was read where it has no value",
            "To fix, bind it with <- in an earlier step")
    }
}
