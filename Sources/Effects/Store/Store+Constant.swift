extension Store {
    /// Creates a store whose state never changes, for previews of views.
    ///
    /// Actions do not change the state. No effects run, unless they are registered later. The name follows SwiftUI's
    /// `Binding.constant(_:)`.
    ///
    /// ```swift
    /// PostView(store: .constant(Posts(title: "Post 1")))
    /// ```
    public static func constant(_ state: S) -> Store {
        let ignore: ReducerFn<S> = { _, _ in }
        return Store(reducer: ignore, initialState: state)
    }
}
