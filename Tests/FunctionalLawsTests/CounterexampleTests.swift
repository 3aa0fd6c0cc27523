import Dispatcher
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// What users read when a law does not hold for something of theirs.
@Suite("Counterexamples of the laws", .timeLimit(.minutes(10)))
struct CounterexampleTests {
    private func counterexample(_ property: Property) async -> String? {
        await property.falsify(settings: .init(seed: 1))?.counterexample
    }

    @Test func aCombinedDispatcherIsToldByItsActionsForTheInput() async {
        let dispatchers = Gen.element(of: [.empty, WidenMutants.right, CombineMutants.countingInputs()])
        #expect(
            await counterexample(CombineLaw.nothingIsRemembered.property(of: dispatchers))
                == """
                a: 1 action, b: no actions, c: no actions, input: .visit, \
                state: State(cart: Cart(total: 0), visits: 0)
                """)
        let actions = Shop.ShopDispatcher.workflow { $0 == .cart(.buy(2)) ? [.pure(.pure(())), .fail(Refused())] : [] }
        let found = await CombineLaw.leftIdentity.property(
            of: .always(actions), inputs: Shop.inputs, states: Shop.State.gen, isSameState: { _, _ in false }
        ) { Shop.Environment(price: 3, log: $0) }.falsify(settings: .init(seed: 1))
        #expect(
            found?.message == """
                The law does not hold: empty <> d == d
                    left:  DispatchTrace<State>(actions: 2, states: [State(cart: Cart(total: 0), visits: 0)], \
                failure: "Refused()", log: [])
                    right: DispatchTrace<State>(actions: 2, states: [State(cart: Cart(total: 0), visits: 0)], \
                failure: "Refused()", log: [])
                """)
        #expect(
            found?.counterexample == """
                a: 2 actions, b: 2 actions, c: 2 actions, input: .cart(.buy(2)), \
                state: State(cart: Cart(total: 0), visits: 0)
                """)
    }

    @Test func aWidenedDispatcherIsToldByItsInputAndState() async {
        let broken = Shop.ShopDispatcher.workflow { input in
            WidenMutants.right.on(input).map { $0.map { $0.followed(by: .update { $0.visits += 1 }) } }
        }
        #expect(
            await counterexample(Shop.law(.frame, broken))
                == "(input: .cart(.clear), state: State(cart: Cart(total: 0), visits: 0))")
    }

    @Test func aReducerIsToldByItsStateAndInput() async {
        let calls = ReducerMutants.Box(0)
        let counting: @Sendable (Int, Int) -> Int = { state, input in
            calls.add(1)
            return state + input + calls.number
        }
        func law(_ law: ReducerLaw) -> Property { law.property(of: counting, states: number, inputs: number) }
        #expect(await counterexample(law(.sameInputSameOutput)) == "state: 0, input: 0")
        #expect(await counterexample(law(.nothingIsRemembered)) == "state: 0, input: 0, between: 0, 0")
    }

    @Test func anOpticIsToldByItsWholeAndParts() async {
        let broken = Lens<Row, String>(get: { $0.name }, set: { row, _ in row })
        #expect(
            await counterexample(LensLaw.getWhatYouSet.property(of: broken, whole: Row.gen, part: text))
                == #"whole Row(id: 0, name: "", tags: []), parts "a" and "", changes {_ → ""} and {_ → ""}"#)
    }

    @Test func aMonoidIsToldByItsValues() async {
        let law = MonoidLaw.associativity.property(of: number.map { MonoidMutants.Difference(value: $0) })
        #expect(
            await counterexample(law)
                == "(a: Difference(value: 0), b: Difference(value: 0), c: Difference(value: 1))")
    }

    @Test func theLibrarysDispatchersAreToldByTheirPlans() async {
        let found = await counterexample(DispatcherLaw.d4.property(of: DispatcherMutant.combineReversed))
        #expect(
            found
                == """
                f: [[changes ×0 +0], [], []], g: [[fails 0], [], []], h: [[], [], []], change: ×0 +0, \
                action: changes ×0 +0, \
                input: .parent(.child(.c)), .child(.c) or .a(0), \
                state: Grand(more: 0, parent: Parent(child: Child(count: 0, seen: [0]), other: 0)), \
                environment: 0, 0 or 0
                """)
    }
}

private struct Refused: Error {}
