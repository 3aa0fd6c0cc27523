import Dispatch
import FunctionalCore
import Synchronization
import TestSupport
import Testing

@Suite("binding", .timeLimit(.minutes(10)))
struct BindingTests {
    private typealias Ask = EnvIO<Int, any Error, Int>

    @Test func aStepMayRunWithoutBindingAVariable() throws {
        let a = Ask.var()
        let program = binding(|<-Ask.pure(1), a <- .ask(), |<-Ask.pure(a.get), yield: a.get)
        #expect(try program.runSync(9) == 9)
    }

    @Test func oneBindingRunsManyTimesConcurrently() async {
        let (first, second) = (Ask.var(), Ask.var())
        // The values are read in a synchronous step, inside an `async` closure after a suspension, and at the end.
        let program = binding(
            first <- .ask(),
            second
                <- Ask { _ async throws in
                    for _ in 0..<3 { await Task.yield() }
                    return first.get * 1_000
                },
            continueOn(.global()),
            |<-Ask { _ in first.get + second.get },
            yield: first.get + second.get
        )
        let answers = await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { (number, try? await program.run(number)) }
            }
            var answers: [Int: Int] = [:]
            for await (number, answer) in group { answers[number] = answer }
            return answers
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, $0 * 1_001) }))
    }

    @Test func recursionRebindsAVariableAndKeepsTheOuterValue() throws {
        let a = Ask.var()
        @Sendable func down(_ count: Int) -> Ask {
            count == 0
                ? .pure(0) : binding(a <- .pure(count), |<-down(count - 1), yield: a.get)
        }
        #expect(try down(5).runSync(0) == 5)
    }

    @Test func aNestedBindingReadsTheOuterVariables() throws {
        let (a, b) = (Ask.var(), Ask.var())
        let program = binding(a <- .ask(), b <- binding(b <- .pure(a.get + 1), yield: b.get * 2), yield: (a.get, b.get))
        #expect(try program.runSync(3) == (3, 8))
    }

    @Test func aNestedRunReadsTheVariablesOfItsStep() async throws {
        let (a, b) = (Ask.var(), Ask.var())
        let inner = binding(b <- .pure(2), yield: a.get + b.get)
        let synchronous = binding(a <- .pure(40), yield: (try? inner.runSync(0)) ?? -1)
        #expect(try synchronous.runSync(0) == 42)
        let result = Ask.var()
        let waiting = binding(
            a <- .pure(40), result <- Ask { _ async throws in try await inner.run(0) }, yield: result.get)
        #expect(try await waiting.run(0) == 42)
    }

    @Test func aYieldedStateReadsTheVariablesWhenItIsRun() throws {
        let a = Ask.var()
        let program = binding(a <- .ask(), yield: State<Int, Void>.modify { $0 + a.get })
        #expect(try program.runSync(5).exec(10) == 15)
    }

    @Test func boundValuesAreReleasedWithTheBinding() throws {
        let a = EnvIO<Witness, Never, Witness>.var()
        let program = binding(a <- .ask(), yield: 1)
        weak var weakWitness: Witness?
        do {
            let witness = Witness()
            weakWitness = witness
            #expect(program.runSync(witness) == 1)
        }
        #expect(weakWitness == nil)
    }

    @Test(.promptly) func readingAVariableOutsideTheRunTraps() async throws {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = EnvIO<Int, any Error, Int>.var().get
        }?.expectError(
            "A bound variable of type Int was read where it has no value",
            "To fix, bind it with <- in an earlier step")
    }
}
