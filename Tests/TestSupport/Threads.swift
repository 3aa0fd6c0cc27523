import Foundation

/// Calls `body` on `count` new threads at once, and returns when all calls have returned.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            body(index)
            group.leave()
        }
        thread.start()
    }
    group.wait()
}

/// Calls `body` on a new thread and returns its result. No thread of the pool waits for it.
public func onThread<Value: Sendable>(
    stackSize: Int? = nil, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }
}
