public import FunctionalCore

/// A filter that notifies an observer of the first value, and of each value that differs from the previous one. Only
/// the draining thread uses the previous value, which `confined` stores.
@usableFromInline
final class ChangeFilter<Value>: Confined<Value?> {
    @usableFromInline let cancellation: Cancellation
    @usableFromInline let accept: (Borrowed<Value>) -> Void
    @usableFromInline let isSame: (Value, Value) -> Bool

    @inlinable
    init(_ observer: Observer<Value>, _ isSame: @escaping (Value, Value) -> Bool) {
        cancellation = observer.cancellation
        accept = observer.accept
        self.isSame = isSame
        super.init(confined: nil)
    }

    @inlinable
    deinit {}

    @inlinable
    @inline(__always)
    func pass(_ value: Value) {
        // A selector, `isSame` or another thread may have cancelled the observer.
        if cancellation.isCancelled { return }
        if let last = confined, isSame(last, value) || cancellation.isCancelled { return }
        passChange(value)
    }

    @inlinable
    @inline(never)
    func passChange(_ value: Value) {
        confined = value
        Borrowed.with(value, accept)
    }
}
