import Dispatcher
import DispatcherLaws
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// The messages that users read when a law does not hold for their code.
@Suite("Counterexamples of the laws", .timeLimit(.minutes(10)))
struct CounterexampleTests {
    private func message(_ property: Property, shrinkTries: Int = 2_000) async -> String? {
        await property.falsify(settings: .init(seed: 1, shrinkTries: shrinkTries))?.message
    }

    @Test func aCombinedDispatcherIsDescribedByItsActionsForTheInput() async {
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
        /// The message for dispatchers of which the first one is `first`, and the others are `later`.
        func remembering(first: Shop.ShopDispatcher, later: Shop.ShopDispatcher) async -> String? {
            let calls = Counter()
            return await message(
                CombineLaw.nothingIsRemembered.property(
                    making: { calls.next() == 1 ? first : later }, inputs: Shop.inputs, states: Shop.State.gen,
                    isSameState: { $0 == $1 }, environment: { Shop.Environment(price: 3, log: $0) }))
        }
        func setting(_ total: Int) -> Shop.ShopDispatcher { .pure { _ in .update { $0.cart.total = total } } }
        #expect(
            await remembering(first: setting(1), later: setting(2))
                == """
                The law does not hold: d.on(i) == d.on(i)
                    by a new dispatcher
                    state after action 1, cart.total
                      left:  1
                      right: 2
                """)
        #expect(
            await remembering(first: setting(1), later: .empty)
                == """
                The law does not hold: d.on(i) == d.on(i)
                    by a new dispatcher
                    actions
                      left:  1
                      right: 0
                    actions that ran
                      left:  1
                      right: 0
                """)
    }

    @Test func aReducerWithAMemoryIsDescribedByItsStateAndInput() async {
        let counting: @Sendable (Int, Int) -> Int = { [calls = Counter()] _, _ in calls.next() > 3 ? 1 : 0 }
        let law = ReducerLaw.nothingIsRemembered.property(of: counting, states: number, inputs: number)
        #expect(
            await message(law, shrinkTries: 0)
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
