import Effects

/// Something was said that cannot be done.
package struct Misunderstood: Action, Equatable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
