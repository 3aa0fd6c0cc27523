import FunctionalCore

private let section = "EnvIO concurrency"
private typealias Program = EnvIO<Int, any Error, Int>

var envIOConcurrencyRows: [Row] {
    [
        Row(section, "race of two", peer: "Bow 63,201") {
            let race = opaque(step.race(step))
            let long = opaque(step.race(sleeper))
            return [
                .time("steps", repeated("race") { use(try? await race.run(opaque(1))) }, Raw.race(), atMost: 1.5),
                .time(
                    "a step and a sleep", repeated("race") { use(try? await long.run(opaque(1))) }, Raw.raceWithSleep(),
                    atMost: 1.5),
            ]
        },
        Row(section, "parZip of two", peer: "Bow 95,261") {
            let both = opaque(step.parZip(step))
            return [.time("", repeated("parZip") { use(try? await both.run(opaque(1))) }, Raw.both(), atMost: 1.5)]
        },
        Row(section, "parTraverse(limit: 8) of 1,000, each", peer: "blocks a thread each") {
            let all = opaque((0..<1_000).parTraverse(limit: 8) { number in step.map { $0 &+ number } })
            let yielding = opaque((0..<1_000).parTraverse(limit: 8) { number in yield.map { $0 &+ number } })
            let together = opaque((0..<1_000).parTraverse { number in step.map { $0 &+ number } })
            return [
                .time(
                    "steps", Subject(waiting: "parTraverse") { use(try? await all.run(opaque(1))) },
                    Raw.traverse(limit: 8) { await next($0) }, atMost: 1.5),
                .time(
                    "steps that yield", Subject(waiting: "parTraverse") { use(try? await yielding.run(opaque(1))) },
                    Raw.traverse(limit: 8) { await yieldingNext($0) }, atMost: 1.5),
                .time(
                    "steps, without a limit",
                    Subject(waiting: "parTraverse") { use(try? await together.run(opaque(1))) },
                    Raw.traverse(limit: 1_000) { await next($0) }, atMost: 2),
            ]
        },
        Row(section, "async, called back at once, each") {
            let program = opaque(Program.async { number, done in done(.success(number)) })
            return [
                .time(
                    "", repeated("async") { use(try? await program.run(opaque(1))) },
                    repeated("continuation") {
                        use(
                            await withTaskCancellationHandler {
                                await withCheckedContinuation { $0.resume(returning: opaque(1)) }
                            } onCancel: {
                            })
                    }, atMost: nil)
            ]
        },
    ]
}

private let step = Program { (number: Int) async in await next(number) }
private let yield = Program { (number: Int) async in await yieldingNext(number) }
private let sleeper = EnvIO<Int, any Error, Void>.sleep(for: .seconds(3_600)).as(0)

@inline(never)
private func yieldingNext(_ number: Int) async -> Int {
    await Task.yield()
    return opaque(number) &+ 1
}

private func repeated(_ name: String, _ body: @escaping () async -> Void) -> Subject {
    Subject(waiting: name, operations: 100) {
        for _ in 0..<100 { await body() }
    }
}

/// The same work by task groups alone.
private enum Raw {
    static func race() -> Subject {
        repeated("task group") {
            use(
                await withTaskGroup(of: Int.self) { group in
                    group.addTask { await next(opaque(1)) }
                    group.addTask { await next(opaque(1)) }
                    let first = await group.next()
                    group.cancelAll()
                    return first
                })
        }
    }

    static func raceWithSleep() -> Subject {
        repeated("task group") {
            use(
                try? await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask { await next(opaque(1)) }
                    group.addTask {
                        try await ContinuousClock().sleep(for: .seconds(3_600))
                        return 0
                    }
                    let first = try await group.next()
                    group.cancelAll()
                    return first
                })
        }
    }

    static func both() -> Subject {
        repeated("task group") {
            use(
                try? await withThrowingTaskGroup(of: (isFirst: Bool, Int).self) { group in
                    group.addTask { (true, await next(opaque(1))) }
                    group.addTask { (false, await next(opaque(1))) }
                    var both = (0, 0)
                    for try await (isFirst, value) in group {
                        if isFirst { both.0 = value } else { both.1 = value }
                    }
                    return both
                })
        }
    }

    static func traverse(limit: Int, _ work: @escaping @Sendable (Int) async -> Int) -> Subject {
        Subject(waiting: "task group") {
            use(
                try? await withThrowingTaskGroup(of: (Int, Int).self) { group in
                    var values = [Int](repeating: 0, count: 1_000)
                    for index in 0..<limit { group.addTask { (index, await work(opaque(1)) &+ index) } }
                    var begun = limit
                    while let (index, value) = try await group.next() {
                        values[index] = value
                        if begun < 1_000 {
                            let index = begun
                            group.addTask { (index, await work(opaque(1)) &+ index) }
                            begun += 1
                        }
                    }
                    return values
                })
        }
    }
}
