/// Registers `count` observers and cancels them, in the order in which they were registered.
func cancelling<Handle>(
    _ count: Int, _ register: @escaping () -> Handle, _ cancel: @escaping (Handle) -> Void
) -> Subject {
    var handles: [Handle] = []
    handles.reserveCapacity(count)
    return Subject("\(count) of them", operations: count) {
        for _ in 0..<count { handles.append(register()) }
        for handle in handles { cancel(handle) }
        handles.removeAll(keepingCapacity: true)
    }
}
