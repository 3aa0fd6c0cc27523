import Foundation

/// Runs `body` to its end on a new thread with a stack of 512 KiB, and returns what it returned.
///
/// For synchronous work that must not need a deep stack, and may take long: no thread of the pool waits for it.
public func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
