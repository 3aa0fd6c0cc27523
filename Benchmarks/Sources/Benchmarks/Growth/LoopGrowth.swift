import FunctionalCore
import Loop

let loopGrowth = Group(
    name: "Loop",
    series: [
        Series(
            "routes by case", per: "event with one effect", sizes: [1, 10, 100],
            note: "one route for each case, and the enum of the benchmark has 128."
        ) { routing("routes", routes: $0) },
        Series("routes by closure", per: "event with one effect") { count in
            let router = (0..<count).reduce(EffectRouter<Int, Int>()) { router, index in
                router.routeEffects(withParameters: { $0 == index ? $0 : nil }).to { use($0) }
            }
            let loop = opaque(
                Mobius.loop(
                    update: { (_: Int, _: Int) -> Next<Int, Int> in .dispatchEffects([0]) }, effectHandler: router
                ).start(from: 0))
            return events(count, loop)
        },
        Series("effects in one Next", per: "effect") { effects($0) },
        Series("observers", per: "event, all are notified") { count in
            let loop = opaque(bareBuilder.start(from: 0))
            for _ in 0..<count { loop.addObserver { use($0) } }
            return events(count, loop)
        },
        Series("observers to dispose", per: "observer, added and disposed") { count in
            let loop = opaque(bareBuilder.start(from: 0))
            return cancelling(count, { loop.addObserver { use($0) } }, { $0.dispose() })
        },
        Series("elements, in place", per: "event") { modelElements($0) },
        Series("elements, in place, with a logger", per: "event") { modelElements($0, logger: Events()) },
        Series("elements, model returned", per: "event") { count in
            let loop = opaque(
                Mobius.beginnerLoop { (elements: [Int], index: Int) -> [Int] in
                    var elements = elements
                    elements[index] &+= 1
                    return elements
                }.start(from: [Int](repeating: 0, count: count)))
            return events(count, loop)
        },
        Series("events in a chain", per: "event") { count in
            chain(of: count, EffectRouter().routeCase(Many.c0).toEvent { $0 })
        },
    ])

private func events<Model, Effect>(_ count: Int, _ loop: MobiusLoop<Model, Int, Effect>) -> Subject {
    let calls = max(1, 1_000 / count)
    return Subject("\(count)", operations: calls) {
        for _ in 0..<calls { loop.dispatchEvent(0) }
    }
}
