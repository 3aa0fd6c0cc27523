// The code and the promises of the article on concurrency and order.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import TestSupport
import Testing

@Suite("The article on concurrency and order", .timeLimit(.minutes(10)))
struct ConcurrencyAndOrderExampleTests {
    //@block FunctionalArchitecture/ConcurrencyAndOrder @MainActor final class Title

    private let adding = StateDispatcher<Void, Int, Int>.pure { number in .update { $0 += number } }

    @Test @MainActor func anObserverOfAViewRunsOnTheMainActor() {
        let component = Component(initialState: 0, environment: (), dispatcher: adding)
        let title = Title()
        title.show(component)
        component.send(3)
        #expect(title.text == "3 items")
    }

    @Test func waiting() async throws {
        let component = Component(initialState: 0, environment: (), dispatcher: adding)
        //@block FunctionalArchitecture/ConcurrencyAndOrder component.send(1)
        #expect(component.state == 3)
    }

    @Test func `a component changes its state, then its subscriptions, and then notifies its observers`() {
        let log = Log()
        let component = Component(
            initialState: 0, environment: (), dispatcher: adding,
            subscriptions: { (count: Int) -> [Subscription<Void, Int>] in
                log.append("subscriptions of \(count)")
                return []
            })
        component.observe(initial: false) { count in log.append("first observer: \(count)") }
        component.observe(initial: false) { [weak component] count in
            log.append("second observer: \(count)")
            if count == 1 { component?.send(10) }
        }
        component.send(1)
        #expect(
            log.lines == [
                "subscriptions of 0", "subscriptions of 1", "first observer: 1", "second observer: 1",
                "subscriptions of 11", "first observer: 11", "second observer: 11",
            ])
    }

    @Test func `a loop calls its update function, then its observers, and then its handler`() {
        let log = Log()
        let update = Update<Int, Int, String> { count, number in
            log.append("update")
            return .next(count + number, effects: ["effect"])
        }
        let handler = EffectRouter<String, Int>().routeEffects(equalTo: "effect").to { effect in log.append(effect) }
        let loop = Mobius.loop(update: update, effectHandler: handler).start(from: 0)
        loop.addObserver { count in log.append("observer: \(count)") }
        loop.dispatchEvent(1)
        #expect(log.lines == ["observer: 0", "update", "observer: 1", "effect"])
    }

    @Test func `a store calls middleware, its reducer, observers, interceptors and effects in this order`() {
        struct Add: Action {}
        let log = Log()
        let store = Store(
            reducer: on(Add.self) { (count: inout Int, _) in
                log.append("reducer")
                count += 1
            },
            initialState: 0,
            effects: [
                Effect(dispatch: false) { actions in
                    actions.ofType(Add.self).handleEvents { _ in log.append("effect") }.eraseActionType()
                }
            ],
            middleware: [
                Middleware { action, _, next in
                    log.append("middleware")
                    next(action)
                }
            ])
        store.observe(initial: false) { count in log.append("observer: \(count)") }
        store.intercept { _, before, after in log.append("interceptor: \(before), \(after)") }
        store.dispatch(action: Add())
        #expect(log.lines == ["middleware", "reducer", "observer: 1", "interceptor: 0, 1", "effect"])
    }
}
