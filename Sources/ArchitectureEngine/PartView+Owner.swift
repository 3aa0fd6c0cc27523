package import FunctionalCore

extension PartView {
    /// Calls `body` on the main actor with `owner` and the part, and then after each change of the part, until `owner`
    /// is deallocated.
    @MainActor
    package func observe<Owner: AnyObject>(
        with owner: Owner, buffering: AsyncStream<Part>.Continuation.BufferingPolicy,
        _ body: @escaping @MainActor (Owner, Part) -> Void
    ) -> Registration {
        let cancellation = Cancellation()
        return observe(isolation: MainActor.shared, buffering: buffering, until: cancellation) { [weak owner] part in
            if let owner { body(owner, part) } else { cancellation.cancel() }
        }
    }
}
