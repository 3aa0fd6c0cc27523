import Dispatcher
import FunctionalCore
import Loop

private let section = "Policies"

/// Messages that arrive one after the other, so that a policy has nothing to do but to see that.
var policyRows: [Row] {
    [
        Row(section, "Component.send, against no policy", isCounted: true) {
            let plain = sending("no policy", .concurrent)
            return [
                .time("latest", sending("latest", .latest), plain),
                .time("queued", sending("queued", .queued), plain),
                .time("limit 3", sending("limit 3", .concurrent(limit: 3)), plain),
                .time("first", sending("first", .first), plain),
                .time("debounce", sending("debounce", debounce, expecting: 0), plain),
                .time("throttle", sending("throttle", throttle, expecting: 0), plain),
            ]
        },
        Row(section, "Component.send, an action that waits, against no policy") {
            let plain = waiting("no policy", .concurrent)
            return [
                .time("latest", waiting("latest", .latest), plain),
                .time("queued", waiting("queued", .queued), plain),
                .time("limit 3", waiting("limit 3", .concurrent(limit: 3)), plain),
            ]
        },
        Row(section, "routed effect, against no policy", isCounted: true) {
            let plain = routing("no policy", nil)
            return [
                .time("latest", routing("latest", .latest), plain),
                .time("queued", routing("queued", .queued), plain),
                .time("limit 3", routing("limit 3", .concurrent(limit: 3)), plain),
                .time("first", routing("first", .first), plain),
                .time("debounce", routing("debounce", debounce, expecting: 0), plain),
                .time("throttle", routing("throttle", throttle, expecting: 0), plain),
            ]
        },
        Row(section, "routed effect that waits, against no policy") {
            let plain = waitingRoute("no policy", nil)
            return [
                .time("latest", waitingRoute("latest", .latest), plain),
                .time("queued", waitingRoute("queued", .queued), plain),
                .time("limit 3", waitingRoute("limit 3", .concurrent(limit: 3)), plain),
            ]
        },
    ]
}

// The interval never ends, so each message replaces the one that waits.
private let debounce = Policy.debounce(for: .seconds(1_000_000))
private let throttle = Policy.throttle(for: .seconds(1_000_000))

private func sending(_ name: String, _ policy: Policy, expecting sum: Int = 499_500) -> Subject {
    let component = opaque(
        Component(initialState: 0, environment: () as Any, dispatcher: counter.policy(policy)))
    // The first input under `throttle` starts at once.
    component.send(.add(0))
    return Subject(name, expecting: sum) {
        let before = component.state
        for index in 0..<1_000 { component.send(.add(opaque(index))) }
        return component.state &- before
    }
}

private func waiting(_ name: String, _ policy: Policy) -> Subject {
    let component = opaque(
        Component(initialState: 0, environment: () as Any, dispatcher: waitingCounter.policy(policy)))
    return Subject(waiting: name, operations: 100, expecting: 5_050) {
        let before = component.state
        for index in 0..<100 { await component.send(.add(opaque(index))).finish() }
        return component.state &- before
    }
}

private func route(_ policy: Policy?) -> EffectRoute<Many, Int, Int> {
    let route = EffectRouter<Many, Int>().routeCase(Many.c0)
    return policy.map { route.policy($0) } ?? route
}

private func routing(_ name: String, _ policy: Policy?, expecting count: Int = 1_000) -> Subject {
    let seen = Tally()
    let loop = opaque(
        Mobius.loop(
            update: { (_: Int, added: Int) -> Next<Int, Many> in .dispatchEffects([.c0(added)]) },
            effectHandler: route(policy).to { _ in seen.count &+= 1 }
        ).start(from: 0))
    loop.dispatchEvent(0)
    return Subject(name, expecting: count) {
        let before = seen.count
        for index in 0..<1_000 { loop.dispatchEvent(opaque(index)) }
        return seen.count &- before
    }
}

/// A positive event is an effect, whose handler waits and then sends its negative.
private func waitingRoute(_ name: String, _ policy: Policy?) -> Subject {
    let loop = opaque(
        Mobius.loop(
            update: { (sum: Int, event: Int) -> Next<Int, Many> in
                event > 0 ? .dispatchEffects([.c0(event)]) : .next(sum &- event)
            },
            effectHandler: route(policy).toEvent { number async in -(await next(number)) }
        ).start(from: 0))
    return Subject(waiting: name, operations: 100, expecting: 5_150) {
        let before = loop.latestModel
        for index in 1...100 {
            loop.dispatchEvent(opaque(index))
            try await loop.settled()
        }
        return loop.latestModel &- before
    }
}
