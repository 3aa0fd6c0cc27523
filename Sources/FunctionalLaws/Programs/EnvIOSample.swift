import FunctionalCore
import PropertyTesting

/// The generated input of a law of programs.
struct EnvIOSample: Sendable {
    var x: ProgramPlan
    var y: ProgramPlan
    var first: GeneratedFunction<Int, ProgramPlan>
    var second: GeneratedFunction<Int, ProgramPlan>
    var number: Int
    var world: Int

    static let gen: Gen<EnvIOSample> = {
        let plan = Gen<ProgramPlan>.programPlan()
        let small = plan.resized { min($0, 4) }
        return Gen.zip(
            plan, plan, small.function(of: Int.self), small.function(of: Int.self), Gen.int(in: 0...99),
            Gen.int(in: -50...50)
        )
        .map { EnvIOSample(x: $0, y: $1, first: $2, second: $3, number: $4, world: $5) }
    }()

    /// Returns a function from a value to a program that depends on the value.
    func continuation(
        _ function: GeneratedFunction<Int, ProgramPlan>
    ) -> @Sendable (Int) -> GeneratedProgram {
        { value in function(value).program.map { $0 &+ value } }
    }
}
