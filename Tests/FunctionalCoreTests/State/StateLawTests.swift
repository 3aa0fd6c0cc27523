import FunctionalCore
import PropertyTesting
import Testing

@Suite("State: laws", .cases(300), .timeLimit(.minutes(10)))
struct StateLawTests {
    @Test(arguments: StateLaw.allCases)
    func aLawOfStateHolds(_ law: StateLaw) async {
        await law.check()
    }

    @Test func runEqualsEvalAndExec() async {
        await forAll(Gen<StatePlan>.statePlan, Gen<StateCells>.stateCells) { plan, state in
            var changed = state
            let value = plan.program.run(&changed)
            #expect(plan.program.run(state) == (value, changed))
            #expect(plan.program.eval(state) == value)
            #expect(plan.program.exec(state) == changed)
        }
    }

    @Test func oneElementIsChangedInPlace() {
        let step = State<[Int], Void>.update { $0[500] += 1 }
        let steps = (0..<100).reduce(step) { program, _ in program.flatMap { step } }
        var numbers = Array(repeating: 0, count: 1_000)
        let before = numbers.withUnsafeBufferPointer { $0.baseAddress }
        steps.run(&numbers)
        #expect(numbers.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(numbers[500] == 101)
    }
}
