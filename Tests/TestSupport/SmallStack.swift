/// Calls `body` on a new thread with a stack of 512 KiB, and returns its result.
///
/// For synchronous work that must not need a deep stack. It may take long, because no thread of the pool waits for it.
public func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await onThread(stackSize: 512 << 10, body)
}

/// A number of steps that no stack can hold: a million.
///
/// Without optimization, where a million steps take minutes, it is a tenth of that. A small stack has five bytes for
/// each of these steps, which is still too little.
#if DEBUG
    public let manySteps = 100_000
#else
    public let manySteps = 1_000_000
#endif
