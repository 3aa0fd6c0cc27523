import Dispatcher
import DispatcherLaws
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// The laws compare states that are not `Equatable` with a closure of the user.
@Suite("Equality in the laws", .timeLimit(.minutes(10)))
struct EqualityTests {
    struct Tally: Sendable {
        var count = 0

        static let gen = number.map { Tally(count: $0) }
    }

    struct House: Sendable {
        var tally = Tally()

        static let gen = Tally.gen.map { House(tally: $0) }
    }

    private let adding = StateDispatcher<Void, Tally, Int>.pure { number in .update { $0.count += number } }

    @Test(arguments: CombineLaw.allCases)
    func combineLawsUseTheGivenEquality(_ law: CombineLaw) async {
        func found(_ isSameState: @escaping @Sendable (Tally, Tally) -> Bool) async -> Falsified? {
            await law.property(
                of: Gen.always(adding), inputs: number, states: Tally.gen, isSameState: isSameState,
                environment: { _ in }
            ).falsify()
        }
        #expect(await found { $0.count == $1.count } == nil)
        #expect((await found { _, _ in false } == nil) == (law == .askingRunsNothing))
    }

    @Test(arguments: WidenLaw.allCases)
    func widenLawsUseTheGivenEqualities(_ law: WidenLaw) async {
        func found(
            _ isSameState: @escaping @Sendable (Tally, Tally) -> Bool,
            _ isSameParentState: @escaping @Sendable (House, House) -> Bool
        ) async -> Falsified? {
            await law.property(
                of: adding.widen(transformState: \House.tally, transformInput: Prism<Int?, Int>.some), child: adding,
                transformEnvironment: { $0 }, transformState: Lens(\House.tally), transformInput: .some,
                inputs: number.optional, states: House.gen, isSameState: isSameState,
                isSameParentState: isSameParentState, environment: { _ in }
            ).falsify()
        }
        #expect(await found({ $0.count == $1.count }, { $0.tally.count == $1.tally.count }) == nil)
        #expect((await found({ _, _ in false }, { _, _ in true }) == nil) == (law != .focus))
        #expect((await found({ _, _ in true }, { _, _ in false }) == nil) == (law != .frame))
    }

    @Test(arguments: ReducerLaw.allCases)
    func reducerLawsUseTheGivenEqualityForUpdates(_ law: ReducerLaw) async {
        func found(_ isSameState: @escaping @Sendable (Tally, Tally) -> Bool) async -> Falsified? {
            await law.property(
                of: { (tally: inout Tally, input: Int) in tally.count += input }, states: Tally.gen, inputs: number,
                isSameState: isSameState
            ).falsify()
        }
        #expect(await found { $0.count == $1.count } == nil)
        #expect(await found { _, _ in false } != nil)
    }
}
