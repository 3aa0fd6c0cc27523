/// The baselines. Each row makes its own, so that work and baseline are measured in turn.
enum Baseline {
    /// One object is allocated and freed.
    static func alloc() -> Subject {
        Subject("alloc") {
            for index in 0..<1_000 { use(Object(opaque(index))) }
        }
    }

    /// A message passes through a queue without contention: two locks. See ``FIFO``.
    static func lock() -> Subject {
        // Far more than a buffer has that is made for a message.
        let capacity = 100
        let queue = FIFO(capacity: capacity)
        var taken: [Int] = []
        taken.reserveCapacity(capacity)
        var keepsCapacity = true
        return Subject("lock", expecting: 499_500) {
            var sum = 0
            for index in 0..<1_000 {
                queue.append(opaque(index))
                queue.drain(&taken) { sum &+= $0 }
            }
            if min(queue.capacity, taken.capacity) < capacity { keepsCapacity = false }
            return sum
        }
        .checked { keepsCapacity }
    }

    /// An `async` function is awaited that inherits the caller's executor and does not suspend, so nothing hops.
    static func asyncCall() -> Subject {
        var isRight = true
        var isChecked = false
        return Subject(waiting: "async call", operations: 100_000) {
            if !isChecked {
                isChecked = true
                let (staying, hopping) = (await hops { use(await next(0)) }, await hops { use(await hoppingNext(0)) })
                isRight = staying == 0 && hopping == 1
            }
            use(await count(to: 100_000))
        }
        .checked { isRight }
    }

    /// A stored closure that may throw is called.
    static func closure() -> Subject {
        let closure = opaque({ @Sendable (number: Int) throws in number &+ 1 })
        return Subject("stored closure", expecting: 500_500) {
            var sum = 0
            for index in 0..<1_000 { sum &+= try closure(opaque(index)) }
            return sum
        }
    }

    /// A task is made and awaited.
    static func task() -> Subject {
        Subject(waiting: "Task.value", operations: 100) {
            for index in 0..<100 { use(await Task { await next(opaque(index)) }.value) }
        }
    }

    /// A number is folded through an array of a thousand stored closures.
    static func closures() -> Subject {
        let closures = opaque([@Sendable (Int) -> Int](repeating: { $0 &+ 1 }, count: 1_000))
        return Subject("closure array", expecting: 1_000) {
            var number = opaque(0)
            for closure in closures { number = closure(number) }
            return number
        }
    }

    /// An error is thrown and caught.
    static func throwing() -> Subject {
        Subject("throw + catch") {
            for index in 0..<1_000 {
                do {
                    use(try fail(opaque(index)))
                } catch {
                    use(error)
                }
            }
        }
    }
}

struct Failed: Error {
    var level = 0
}

@inline(never)
nonisolated(nonsending) func next(_ number: Int) async -> Int {
    opaque(number) &+ 1
}

nonisolated(nonsending) private func count(to limit: Int) async -> Int {
    var number = 0
    for _ in 0..<limit { number = await next(number) }
    return number
}

/// The same with a hop, to see that hops are counted.
@concurrent
@inline(never)
private func hoppingNext(_ number: Int) async -> Int {
    opaque(number) &+ 1
}

@inline(never)
private func fail(_ number: Int) throws -> Int {
    if opaque(1) == 1 { throw Failed(level: number) }
    return number
}

private final class Object {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}
