import TestSupport

/// Releases the held value outside the lock.
func drop<Value>(_ holder: Guarded<Value?>) {
    let value = holder.withLock { value in
        defer { value = nil }
        return value
    }
    withExtendedLifetime(value) {}
}
