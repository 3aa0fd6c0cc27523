import FunctionalCore

var stateRows: [Row] {
    [
        Row("Core and optics", "State, 1,000 steps, one of 100,000 elements, per step", peer: "copies") {
            let large = changing(100_000)
            let small = changing(10)
            return [
                .time("against an object", large, Baseline.alloc()),
                .time("against 10 elements", large, small),
            ]
        }
    ]
}

func changing(_ count: Int) -> Subject {
    let program = opaque(
        (0..<1_000).reduce(State<[Int], Void>.pure(())) { program, step in
            let index = step * 7_919 % count
            return program.flatMap { .update { $0[index] &+= 1 } }
        }
    )
    var elements = opaque([Int](repeating: 0, count: count))
    return Subject("\(count) elements") {
        program.run(&elements)
        change(&elements)
    }
}
