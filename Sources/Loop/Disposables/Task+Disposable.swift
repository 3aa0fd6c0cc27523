extension Task {
    /// A disposable that cancels this task.
    ///
    /// ```swift
    /// let request = Task { callback.end(with: .loaded(await load())) }
    /// return request.asDisposable
    /// ```
    public var asDisposable: any Disposable {
        TaskDisposable(task: self)
    }
}

/// A disposable that cancels a task.
private struct TaskDisposable<Success: Sendable, Failure: Error>: Disposable {
    let task: Task<Success, Failure>

    func dispose() {
        task.cancel()
    }
}
