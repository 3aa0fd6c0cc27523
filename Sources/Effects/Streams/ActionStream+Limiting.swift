import FunctionalCore

extension ActionStream {
    /// Returns a stream that passes on the first `count` values, and then ends.
    ///
    /// If `count` is zero, the stream ends without a value. Traps if it is negative.
    public func prefix(_ count: Int) -> ActionStream {
        checkCount(count, of: "prefix of a stream of \(Output.self)")
        if count == 0 { return .empty }
        return lift { subscriber in
            var left = count
            return Subscriber(
                receive: { value in
                    left -= 1
                    subscriber.receive(value)
                    if left == 0 { subscriber.complete(nil) }
                },
                complete: subscriber.complete
            )
        }
    }

    /// Returns a stream that passes on values while `isIncluded` returns `true`, and then ends.
    ///
    /// The value for which `isIncluded` returns `false` is dropped. RxJava and RxJS call this operator `takeWhile`.
    public func prefix(while isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        lift { subscriber in
            Subscriber(
                receive: { if isIncluded($0) { subscriber.receive($0) } else { subscriber.complete(nil) } },
                complete: subscriber.complete
            )
        }
    }

    /// Returns a stream that passes on the first value, and then ends.
    public func first() -> ActionStream {
        prefix(1)
    }

    /// Returns a stream that passes on the first value for which `isIncluded` returns `true`, and then ends.
    public func first(where isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        filter(isIncluded).first()
    }

    /// Returns a stream without the first `count` values.
    ///
    /// Traps if `count` is negative.
    public func dropFirst(_ count: Int = 1) -> ActionStream {
        checkCount(count, of: "dropFirst of a stream of \(Output.self)")
        return transform { run, next in
            var left = count
            return { value in
                if run.isOver { return }
                if left > 0 { left -= 1 } else { next(value) }
            }
        }
    }

    /// Returns a stream that starts with the first value for which `isDropped` returns `false`.
    ///
    /// `isDropped` is not called after that value.
    public func drop(while isDropped: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        transform { run, next in
            var isOpen = false
            return { value in
                if run.isOver { return }
                isOpen = isOpen || !isDropped(value)
                if isOpen { next(value) }
            }
        }
    }
}
