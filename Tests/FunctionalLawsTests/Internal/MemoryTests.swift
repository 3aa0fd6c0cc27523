import Dispatcher
import DispatcherLaws
import FunctionalCore
import FunctionalLaws
import PropertyTesting
import TestSupport
import Testing

/// The laws detect functions whose results depend on earlier calls, with every seed.
@Suite("Functions with a memory", .timeLimit(.minutes(10)))
struct MemoryTests {
    typealias Reduce = @Sendable (Int, Int) -> Int

    enum Memory: CaseIterable {
        case everyFiftiethAnswerIsAnother
        case everyFiveHundredthAnswerIsAnother
        case everyFiftiethInputIsAnsweredOtherwiseFromThenOn
        case everyFiftiethAnswerIsTheOneBefore
        case fromTheThousandthCallOnAllAnswersAreOthers

        func make() -> Reduce {
            let calls = Counter()
            let kept = Guarded<Int?>(nil)
            return { state, input in
                let call = calls.next()
                let right = state &* 3 &+ input
                switch self {
                case .everyFiftiethAnswerIsAnother: return call % 50 == 0 ? right &+ 1 : right
                case .everyFiveHundredthAnswerIsAnother: return call % 500 == 0 ? right &+ 1 : right
                case .everyFiftiethInputIsAnsweredOtherwiseFromThenOn:
                    return kept.withLock { kept in
                        defer { if call % 50 == 0 { kept = input } }
                        return kept == input ? right &+ 1 : right
                    }
                case .everyFiftiethAnswerIsTheOneBefore:
                    return kept.withLock { kept in
                        let answer = call % 50 == 0 ? kept ?? right : right
                        kept = answer
                        return answer
                    }
                case .fromTheThousandthCallOnAllAnswersAreOthers: return call > 1_000 ? right &+ 1 : right
                }
            }
        }
    }

    /// Caches the result for each key. A correct cache has a key for each state and input.
    private static func caching(by key: @escaping @Sendable (_ state: Int, _ input: Int) -> [Int]) -> Reduce {
        let cache = Guarded<[[Int]: Int]>([:])
        return { state, input in
            cache.withLock { cache in
                if let answer = cache[key(state, input)] { return answer }
                let answer = state &* 3 &+ input
                cache[key(state, input)] = answer
                return answer
            }
        }
    }

    private func found(_ law: ReducerLaw, _ seed: UInt64, _ make: @escaping @Sendable () -> Reduce) async -> Bool {
        await law.property(
            making: make, states: Gen.int, inputs: Gen.int, isSameState: { $0 == $1 }, isSameOutput: { $0 == $1 }
        ).falsify(settings: .init(seed: seed)) != nil
    }

    @Test(arguments: Memory.allCases, 0..<20)
    func aReducerWithAMemoryIsNoticed(_ memory: Memory, seed: UInt64) async {
        let reduce = memory.make()
        let law = ReducerLaw.nothingIsRemembered.property(of: reduce, states: Gen.int, inputs: Gen.int)
        #expect(await law.falsify(settings: .init(seed: seed)) != nil)
    }

    @Test(arguments: 0..<20)
    func aReducerWithADifferentFiftiethAnswerIsNoticed(_ seed: UInt64) async {
        let reduce = Memory.everyFiftiethAnswerIsAnother.make()
        let law = ReducerLaw.sameInputSameOutput.property(of: reduce, states: Gen.int, inputs: Gen.int)
        #expect(await law.falsify(settings: .init(seed: seed)) != nil)
    }

    @Test(arguments: 0..<20)
    func aCacheThatLeavesOutTheStateIsNoticedByNewFunctions(_ seed: UInt64) async {
        #expect(await found(.nothingIsRemembered, seed) { Self.caching { [$1] } })
    }

    @Test(arguments: ReducerLaw.allCases)
    func aCacheKeyedByStateAndInputIsAFunction(_ law: ReducerLaw) async {
        for seed in 0..<20 { #expect(await !found(law, UInt64(seed)) { Self.caching { [$0, $1] } }) }
    }

    @Test(arguments: 0..<20)
    func aDispatcherThatForgetsEveryFortiethTimeIsNoticed(_ seed: UInt64) async {
        let forgetting = Shop.ShopDispatcher.workflow { [calls = Counter()] input in
            calls.next() % 40 == 0 ? [] : WidenMutants.right.on(input)
        }
        let found = await CombineLaw.nothingIsRemembered.property(of: .always(forgetting))
            .falsify(settings: .init(seed: seed))
        #expect(found != nil)
    }

    private func found(
        _ law: CombineLaw, _ seed: UInt64, _ make: @escaping @Sendable () -> Shop.ShopDispatcher
    ) async -> Falsified? {
        await law.property(
            making: make, inputs: Shop.inputs, states: Shop.State.gen, isSameState: { $0 == $1 },
            environment: { Shop.Environment(price: 3, log: $0) }
        ).falsify(settings: .init(seed: seed))
    }

    @Test(arguments: 0..<20)
    func aDispatcherThatRepeatsItsFirstActionsIsNoticedByNewDispatchers(_ seed: UInt64) async {
        let found = await found(.nothingIsRemembered, seed) {
            let first = Guarded<Shop.Input?>(nil)
            return .workflow { input in
                let remembered = first.withLock { first in
                    first = first ?? input
                    return first ?? input
                }
                return WidenMutants.right.on(remembered)
            }
        }
        #expect(found?.message.contains("by a new dispatcher") == true)
    }

    @Test(arguments: CombineLaw.allCases)
    func theLawsHoldForNewDispatchersThatAreFunctions(_ law: CombineLaw) async {
        #expect(await found(law, 1) { WidenMutants.right } == nil)
    }
}
