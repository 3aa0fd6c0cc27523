import TestSupport

/// Something that is to happen the first time only.
struct Once: Sendable {
    private let isOver = Guarded(false)

    /// Whether this is the first time that this is asked.
    func isFirst() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}
