import Effects

/// Returns an effect that writes each action.
package func logEffect(_ write: @escaping @Sendable (_ line: String) -> Void) -> Effect<Void> {
    Effect(dispatch: false) { actions in
        actions.handleEvents { action in write("\(action)") }
    }
}
