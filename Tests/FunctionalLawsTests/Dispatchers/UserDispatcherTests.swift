import Dispatcher
import DispatcherLaws
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// A user's own dispatcher, and its laws.
enum Shop {
    struct Environment: Sendable {
        var price: Int
        var log: EffectLog
    }

    struct Closed: Error {}

    struct Cart: Equatable, Sendable {
        var total = 0
    }

    struct State: Equatable, Sendable {
        var cart = Cart()
        var visits = 0

        static let gen = Gen.zip(number, number).map { State(cart: Cart(total: $0), visits: $1) }
    }

    enum CartInput: Equatable, Sendable {
        case buy(Int)
        case clear
    }

    enum Input: Equatable, Sendable, AutoPrism {
        case cart(CartInput)
        case visit
    }

    static let inputs = Gen.oneOf(
        Gen.always(Input.visit), Gen.always(.cart(.clear)), number.map { .cart(.buy($0)) })
    static let prism = Input.prism(for: Input.cart)

    typealias CartDispatcher = StateDispatcher<Environment, Cart, CartInput>
    typealias ShopDispatcher = StateDispatcher<Environment, State, Input>

    static let cart = CartDispatcher.workflow { input in
        switch input {
        case .clear: [.pure(.set(Cart()))]
        case .buy(let count):
            [
                .pure(.update { $0.total += 1 }),
                EnvIO { shop in
                    shop.log.append("asked for \(count)")
                    return .update { $0.total += count * shop.price }
                },
            ]
        }
    }

    static func law(_ law: WidenLaw, _ widened: ShopDispatcher) -> Property {
        law.property(
            of: widened, child: cart, transformEnvironment: { $0 }, transformState: Lens(\State.cart),
            transformInput: prism, inputs: inputs, states: State.gen,
            environment: { Environment(price: 3, log: $0) })
    }
}

enum WidenMutants {
    static let right = Shop.cart.widen(transformState: \Shop.State.cart, transformInput: Shop.prism)

    static var all: [Mutant] {
        [
            mutant(
                "counts visits too", .frame,
                counterexample: "(input: .cart(.clear), state: State(cart: Cart(total: 0), visits: 0))"
            ) { input in
                right.on(input).map { $0.map { $0.followed(by: .update { $0.visits += 1 }) } }
            },
            mutant("drops the last action", .asManyActions) { Array(right.on($0).dropLast()) },
            mutant("answers what is not its own", .aMissHasNoActions) { input in
                Shop.prism.matches(input) ? right.on(input) : [.pure(.pure(()))]
            },
            mutant(
                "asks at another price", .focus,
                counterexample: "(input: .cart(.buy(1)), state: State(cart: Cart(total: 0), visits: 0))"
            ) { input in
                right.on(input).map { $0.contramap { Shop.Environment(price: $0.price + 1, log: $0.log) } }
            },
            mutant("fails after the actions of its child", .focus) { input in
                right.on(input).map { $0.flatMap { _ in .fail(Shop.Closed()) } }
            },
        ]
    }

    private static func mutant(
        _ name: String, _ law: WidenLaw, counterexample: String? = nil,
        _ actions: @escaping @Sendable (Shop.Input) -> [Shop.ShopDispatcher.Action]
    ) -> Mutant {
        let broken = Shop.ShopDispatcher.workflow(actions)
        return Mutant("A widened dispatcher \(name)", [law], counterexample: counterexample) { Shop.law($0, broken) }
    }
}

@Suite("Laws of a user's dispatchers", .timeLimit(.minutes(10)))
struct UserDispatcherTests {
    @Test(arguments: WidenLaw.allCases)
    func aWidenedDispatcherSatisfiesTheWidenLaws(_ law: WidenLaw) async {
        await Shop.law(law, WidenMutants.right).check()
    }

    @Test(arguments: CombineLaw.allCases)
    func combinedDispatchersSatisfyTheCombineLaws(_ law: CombineLaw) async {
        let visits = Shop.ShopDispatcher.pure { $0 == .visit ? .update { $0.visits += 1 } : .pure(()) }
        await law.property(of: Gen.element(of: [WidenMutants.right, visits, .empty])).check()
    }

    @Test(arguments: ReducerLaw.allCases)
    func pureReducersAndUpdatesSatisfyTheReducerLaws(_ law: ReducerLaw) async {
        await law.property(of: { (state: Int, input: Int) in state &* 3 &+ input }, states: number, inputs: number)
            .check()
        await law.property(
            of: { (state: inout [Int], input: Int) -> Void in state.append(input) }, states: numbers, inputs: number
        )
        .check()
    }
}
