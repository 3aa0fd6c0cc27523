import TestSupport

/// A value that distinguishes the first call from later ones.
struct Once: Sendable {
    private let isOver = Guarded(false)

    /// Returns `true` for the first call, and `false` for later ones.
    func isFirst() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}
