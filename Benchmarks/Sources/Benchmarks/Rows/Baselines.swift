import Synchronization

/// What work is held against. Each row makes its own, so that both are measured in turn.
enum Baseline {
    /// One object is allocated and freed.
    static func alloc() -> Subject {
        Subject("alloc") {
            for index in 0..<1_000 { use(Object(opaque(index))) }
        }
    }

    /// One message through a mutex and a queue, without contention: two locks.
    static func lock() -> Subject {
        let queue = Queue()
        return Subject("lock") {
            for index in 0..<1_000 {
                queue.append(opaque(index))
                for message in queue.takeAll() { use(message) }
            }
        }
    }

    /// An `async` function that does not suspend is awaited.
    static func asyncCall(_ name: String = "async call") -> Subject {
        Subject(waiting: name, operations: 100_000) {
            var number = 0
            for _ in 0..<100_000 { number = await next(number) }
            use(number)
        }
    }

    /// A number goes through an array of closures.
    static func closures() -> Subject {
        let closures = opaque([@Sendable (Int) -> Int](repeating: { $0 &+ 1 }, count: 1_000))
        return Subject("closure array") {
            var number = opaque(0)
            for closure in closures { number = closure(number) }
            use(number)
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
func next(_ number: Int) async -> Int {
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

/// As queues that drain themselves are: who drains takes all that waits, in one go.
private final class Queue: Sendable {
    private let messages = Mutex<[Int]>([])

    @inline(__always)
    func append(_ message: Int) {
        messages.withLock { $0.append(message) }
    }

    @inline(__always)
    func takeAll() -> [Int] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
