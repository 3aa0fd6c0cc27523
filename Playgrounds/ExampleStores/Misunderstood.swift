import Effects

/// The program did not understand an input.
package struct Misunderstood: Action, Equatable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
