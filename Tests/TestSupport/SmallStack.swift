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

/// So many steps that no stack would hold them: a million. Without optimisation, where that takes minutes, a tenth of
/// it: five bytes of a small stack for each are as conclusive.
#if DEBUG
    public let manySteps = 100_000
#else
    public let manySteps = 1_000_000
#endif
