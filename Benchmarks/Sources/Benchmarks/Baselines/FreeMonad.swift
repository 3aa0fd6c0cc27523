/// A free monad over numbers, by hand: the floor for right-nested `flatMap`.
///
/// It is the least that a program as a value needs: a cell for each `flatMap`, and a loop with a stack of what follows.
enum FreeMonad {
    case pure(Int)
    /// A function of the environment that may throw.
    case access((Int) throws -> Int)
    indirect case flatMap(FreeMonad, (Int) -> FreeMonad)

    @inline(never)
    func run(_ environment: Int) throws -> Int {
        var stack: [(Int) -> FreeMonad] = []
        var program = self
        while true {
            let value: Int
            switch program {
            case .pure(let number): value = number
            case .access(let read): value = try read(environment)
            case .flatMap(let first, let next):
                stack.append(next)
                program = first
                continue
            }
            guard let next = stack.popLast() else { return value }
            program = next(value)
        }
    }
}

@inline(never)
func freeCountdown(_ count: Int) -> FreeMonad {
    count == 0 ? .pure(0) : .flatMap(.pure(count - 1), freeCountdown)
}

@inline(never)
func freeCountdownAsking(_ count: Int) -> FreeMonad {
    count == 0 ? .pure(0) : .flatMap(.access { $0 }) { one in freeCountdownAsking(count - one) }
}
