extension Component {
    /// Creates a component whose state never changes, for previews of views.
    ///
    /// Inputs are ignored. The name follows SwiftUI's `Binding.constant(_:)`.
    ///
    /// ```swift
    /// ForecastView(component: .constant(Forecast(city: "Oslo", degrees: 21)))
    /// ```
    public static func constant(_ state: S) -> Component {
        Component(initialState: state, environment: (), dispatcher: .empty)
    }
}

extension Scope {
    /// Creates a scope whose state never changes, for previews of views; see ``Component/constant(_:)``.
    public static func constant(_ state: S) -> Scope {
        Component<S, Void>.constant(state).scope(state: \.self, input: { _ in () })
    }
}
