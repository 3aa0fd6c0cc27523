import Foundation

/// Calls the function that `prepare` returns. Returns how many bytes of the stack the call uses, in multiples of 4 KiB
/// and at least 16 KiB, and the result of the call.
///
/// A new thread fills its stack with a pattern before the call, and then looks for the deepest block that has changed.
/// So a call that needs too much, up to 8 MiB, is measured, and does not end the process. `prepare` runs on the same
/// thread before this, and may use 16 MiB of the stack.
public func stackUse<Value: Sendable>(
    preparedBy prepare: @escaping @Sendable () -> () -> Value
) async -> (bytes: Int, result: Value) {
    await onThread(stackSize: 17 << 20) { measuringStack(prepare()) }
}

@inline(never)
private func measuringStack<Value>(_ body: () -> Value) -> (bytes: Int, result: Value) {
    // The functions that fill and search the stack need less than `reserve` themselves. Nothing else uses the stack
    // below this frame while they run.
    let (size, reserve, block) = (8 << 20, 16 << 10, 4 << 10)
    var here = 0
    return withUnsafeMutablePointer(to: &here) { here in
        let lowest = UnsafeMutableRawPointer(here) - size
        memset(lowest, 0xAB, size - reserve)
        let result = body()
        let pattern = [UInt8](repeating: 0xAB, count: block)
        let isChanged = { (offset: Int) in memcmp(lowest + offset, pattern, block) != 0 }
        let deepest = stride(from: 0, to: size - reserve, by: block).first(where: isChanged) ?? size - reserve
        return (size - deepest, result)
    }
}
