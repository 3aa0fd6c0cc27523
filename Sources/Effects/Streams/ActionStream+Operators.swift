extension ActionStream {
    /// Returns a stream of the values for which `isIncluded` returns `true`.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> ActionStream {
        transform { run, next in { if !run.isOver, isIncluded($0) { next($0) } } }
    }

    /// Returns a stream of the results of `transform` for each value.
    @inlinable
    public func map<New>(_ transform: @escaping @Sendable (Output) -> New) -> ActionStream<New> {
        self.transform { run, next in { if !run.isOver { next(transform($0)) } } }
    }

    /// Returns a stream of the property at `path` of each value.
    ///
    /// ```swift
    /// let name: any KeyPath<AskPrice, String> & Sendable = \.name
    /// let names = actions.ofType(AskPrice.self).map(name)
    /// ```
    ///
    /// For a literal, as in `map(\.name)`, the compiler chooses the overload for a function. The result is the same.
    @_disfavoredOverload
    @inlinable
    public func map<New>(_ path: any KeyPath<Output, New> & Sendable) -> ActionStream<New> {
        // The type checker needs this overload for literals, too, although it then chooses the other one. Without it, a
        // chain of `.map(\.number)` to `.scan(0, +)` takes it 400 times as many attempts if the context gives no type.
        // Disfavored, so that the compiler does not try it for a closure. Each closure with an operator in a chain
        // would double the work otherwise.
        transform { run, next in { if !run.isOver { next($0[keyPath: path]) } } }
    }

    /// Returns a stream of the results of `transform` for each value, which fails if `transform` throws.
    ///
    /// `transform` runs on the thread that processes the action. Use it to decode data:
    ///
    /// ```swift
    /// ActionStream { try await download(get.id) }
    ///     .tryMap { data in GetPostSuccess(post: try JSONDecoder().decode(Post.self, from: data)) }
    /// ```
    ///
    /// If `transform` throws, this stream is stopped. For work that takes long, use
    /// ``flatMap(_:)-((Output)->New)``, whose closure runs in a task.
    public func tryMap<New>(_ transform: @escaping @Sendable (Output) throws -> New) -> ActionStream<New> {
        lift { subscriber in
            Subscriber(
                receive: { value in
                    do {
                        subscriber.receive(try transform(value))
                    } catch {
                        subscriber.complete(error)
                    }
                },
                complete: subscriber.complete
            )
        }
    }

    /// Returns a stream of the results of `transform` that are not `nil`.
    @inlinable
    public func compactMap<New>(_ transform: @escaping @Sendable (Output) -> New?) -> ActionStream<New> {
        self.transform { run, next in { if !run.isOver, let new = transform($0) { next(new) } } }
    }

    /// Returns a stream of accumulated results: `combine` is called with the previous result and each value.
    ///
    /// - Parameters:
    ///   - initial: The result that `combine` receives with the first value. It is not emitted.
    ///   - combine: Returns the next result for the previous result and a value.
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ combine: @escaping @Sendable (Result, Output) -> Result
    ) -> ActionStream<Result> {
        transform { run, next in
            var result = initial
            return { value in
                if run.isOver { return }
                result = combine(result, value)
                next(result)
            }
        }
    }

    /// Returns a stream without the values that are the same as the last value that was passed on.
    ///
    /// - Parameter isSame: Returns whether the last value that was passed on and a new value are the same.
    public func removeDuplicates(by isSame: @escaping @Sendable (Output, Output) -> Bool) -> ActionStream {
        transform { run, next in
            var last: Output?
            return { value in
                if run.isOver { return }
                if let last, isSame(last, value) { return }
                last = value
                next(value)
            }
        }
    }

    /// Returns a stream without the values that equal the previous value.
    public func removeDuplicates() -> ActionStream where Output: Equatable {
        removeDuplicates(by: ==)
    }
}

extension ActionStream where Output: Action {
    /// Returns a stream of the same actions as `any Action`, the type that an effect emits.
    @inlinable
    public func eraseActionType() -> ActionStream<any Action> {
        map { $0 }
    }
}
