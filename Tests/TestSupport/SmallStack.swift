import Foundation

/// Runs `body` to its end on a new thread with a stack of 512 KiB, and returns what it returned.
///
/// The calling thread waits: for synchronous work that must not need a deep stack.
public func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    let slot = Slot<Value>()
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
        slot.value = body()
        finished.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    finished.wait()
    guard let value = slot.value else { fatalError("The thread ended without a value.") }
    return value
}

// Unchecked: written by one thread before it signals, and read by the other after it has waited for that.
private final class Slot<Value>: @unchecked Sendable {
    var value: Value?
}
