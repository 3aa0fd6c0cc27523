import FunctionalCore

private typealias Program = EnvIO<Int, any Error, Int>

let coreGrowth = Group(
    name: "Programs",
    series: [
        Series("steps of map", per: "step") { count in
            let program = opaque((0..<count).reduce(Program.ask()) { program, _ in program.map { $0 &+ 1 } })
            return running(program, count)
        },
        Series("steps of flatMap, left-nested", per: "step") { count in
            let program = opaque(
                (0..<count).reduce(Program.ask()) { program, _ in program.flatMap { .pure($0 &+ 1) } })
            return running(program, count)
        },
        Series("steps of flatMap, right-nested", per: "step") { count in
            let calls = max(1, 1_000 / count)
            return Subject("\(count)", operations: count * calls) {
                for _ in 0..<calls { runRightNested(count) }
            }
        },
        Series("elements of a State, one set", per: "step") { changing($0) },
        Series("programs in parTraverse(limit: 8)", per: "program") { count in
            let all = opaque((0..<count).parTraverse(limit: 8) { number in Program { _ async in await next(number) } })
            let calls = max(1, 100 / count)
            return Subject(waiting: "\(count)", operations: count * calls) {
                for _ in 0..<calls { use(try? await all.run(opaque(1))) }
            }
        },
    ])

private func running(_ program: Program, _ count: Int) -> Subject {
    let calls = max(1, 1_000 / count)
    return Subject("\(count)", operations: count * calls) {
        for _ in 0..<calls { use(try? program.runSync(opaque(0))) }
    }
}
