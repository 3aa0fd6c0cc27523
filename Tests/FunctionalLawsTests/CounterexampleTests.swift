import Dispatcher
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// The messages that users read when a law does not hold for their code.
@Suite("Counterexamples of the laws", .timeLimit(.minutes(10)))
struct CounterexampleTests {
    private func counterexample(_ property: Property) async -> String? {
        await property.falsify(settings: .init(seed: 1))?.counterexample
    }

    private func message(_ property: Property) async -> String? {
        await property.falsify(settings: .init(seed: 1))?.message
    }

    @Test func aCombinedDispatcherIsDescribedByItsActionsForTheInput() async {
        let dispatchers = Gen.element(of: [.empty, WidenMutants.right, CombineMutants.countingInputs()])
        #expect(
            await counterexample(CombineLaw.nothingIsRemembered.property(of: dispatchers))
                == """
                a: 1 action, input: .visit, state: State(cart: Cart(total: 0), visits: 0)
                """)
        let actions = Shop.ShopDispatcher.workflow { $0 == .cart(.buy(2)) ? [.pure(.pure(())), .fail(Refused())] : [] }
        let found = await CombineLaw.leftIdentity.property(
            of: .always(actions), inputs: Shop.inputs, states: Shop.State.gen, isSameState: { _, _ in false }
        ) { Shop.Environment(price: 3, log: $0) }.falsify(settings: .init(seed: 1))
        #expect(
            found?.message == """
                The law does not hold: empty <> d == d
                    state after action 1
                      left:  State(cart: Cart(total: 0), visits: 0)
                      right: State(cart: Cart(total: 0), visits: 0)
                """)
        #expect(
            found?.counterexample == """
                a: 2 actions, input: .cart(.buy(2)), state: State(cart: Cart(total: 0), visits: 0)
                """)
    }

    @Test func aWidenedDispatcherIsDescribedByItsInputAndState() async {
        let broken = Shop.ShopDispatcher.workflow { input in
            WidenMutants.right.on(input).map { $0.map { $0.followed(by: .update { $0.visits += 1 }) } }
        }
        #expect(
            await counterexample(Shop.law(.frame, broken))
                == "(input: .cart(.clear), state: State(cart: Cart(total: 0), visits: 0))")
    }

    @Test func aReducerIsDescribedByItsStateAndInput() async {
        let calls = ReducerMutants.Box(0)
        let counting: @Sendable (Int, Int) -> Int = { state, input in
            calls.add(1)
            return state + input + calls.number
        }
        func law(_ law: ReducerLaw) -> Property { law.property(of: counting, states: number, inputs: number) }
        #expect(await counterexample(law(.sameInputSameOutput)) == "state: 0, input: 0")
        #expect(await counterexample(law(.nothingIsRemembered)) == "state: 0, input: 0, between: 0, 0")
    }

    @Test func anOpticIsDescribedByItsWholeAndParts() async {
        let broken = Lens<Row, String>(get: { $0.name }, set: { row, _ in row })
        #expect(
            await counterexample(LensLaw.getWhatYouSet.property(of: broken, whole: Row.gen, part: text))
                == #"whole Row(id: 0, name: "", tags: []), part "a""#)
    }

    @Test func aMonoidIsDescribedByItsValues() async {
        let law = MonoidLaw.associativity.property(of: number.map { MonoidMutants.Difference(value: $0) })
        #expect(
            await counterexample(law)
                == "(a: Difference(value: 0), b: Difference(value: 0), c: Difference(value: 1))")
    }

    @Test func theLibrarysDispatchersAreDescribedByTheirPlans() async {
        let found = await counterexample(
            DispatcherLaw.combineAppendsActions.property(of: DispatcherMutant.combineReversed))
        #expect(
            found
                == """
                a: [changes ×0 +0], b: [fails 0], input: .a(0), state: Child(count: 0, seen: [0]), environment: 0
                """)
        #expect(
            await message(DispatcherLaw.combineAppendsActions.property(of: DispatcherMutant.combineReversed))
                == """
                The law does not hold: (a <> b).on(i) == a.on(i) ++ b.on(i)
                    actions that ran
                      left:  0
                      right: 1
                """)
    }

    @Test func onlyTheDifferenceBetweenTwoDispatchersIsShown() async {
        let dear = Shop.ShopDispatcher.workflow { input in
            WidenMutants.right.on(input).map { $0.contramap { Shop.Environment(price: $0.price + 1, log: $0.log) } }
        }
        #expect(
            await message(Shop.law(.focus, dear))
                == """
                The law does not hold: get(s') == the child's state run alone, after each action
                    state after action 2, total
                      left:  5
                      right: 4
                """)
        #expect(
            await counterexample(Shop.law(.focus, dear))
                == "(input: .cart(.buy(1)), state: State(cart: Cart(total: 0), visits: 0))")
        let writing = Shop.ShopDispatcher.workflow { input in
            WidenMutants.right.on(input).map { action in
                action.contramap { shop in
                    shop.log.append("asked twice")
                    return shop
                }
            }
        }
        #expect(
            await message(Shop.law(.focus, writing))
                == """
                The law does not hold: get(s') == the child's state run alone, after each action
                    line 1 of the log
                      left:  "asked twice"
                      right: "asked for 0"
                """)
        #expect(
            await message(DispatcherLaw.wideningTwiceIsWideningOnce.property(of: DispatcherMutant.widenTouchesOther))
                == """
                The law does not hold: widen twice == widen by the compositions
                    state after action 1, parent.other
                      left:  2
                      right: 1
                """)
        #expect(
            await message(DispatcherLaw.disjointWidensCommute.property(of: DispatcherMutant.combineDropsRight))
                == """
                The law does not hold: widened by disjoint prisms, two commute
                    actions
                      left:  1
                      right: 0
                    actions that ran
                      left:  1
                      right: 0
                """)
        #expect(
            await counterexample(DispatcherLaw.disjointWidensCommute.property(of: DispatcherMutant.combineDropsRight))
                == """
                a: [changes ×0 +0], b: [], input: .child(.c), \
                state: Parent(child: Child(count: 0, seen: [0]), other: 0), environment: 0
                """)
    }

    @Test func aReducerWithAMemoryIsDescribedByItsStateAndInput() async {
        let calls = ReducerMutants.Box(0)
        let counting: @Sendable (Int, Int) -> Int = { state, input in
            calls.add(1)
            return calls.number > 3 ? 1 : 0
        }
        let law = ReducerLaw.nothingIsRemembered.property(of: counting, states: number, inputs: number)
        #expect(
            await law.falsify(settings: .init(seed: 1, shrinkTries: 0))?.message
                == """
                The law does not hold: f(s, a) == { f(t, b); f(s, a) }
                    for state 1, input 0
                    left:  0
                    right: 1
                """)
    }

    @Test func textsThatLookAlikeAreShownAsScalars() async {
        #expect(
            await message(
                LensLaw.getWhatYouSet.property(of: TextMutants.composing, whole: Gen.string, part: Gen.string))
                    == #"""
                    The law does not hold: get(set(s, a)) == a
                        left:  "\u{E9}"
                        right: "e\u{301}"
                    """#)
    }
}

private struct Refused: Error {}
