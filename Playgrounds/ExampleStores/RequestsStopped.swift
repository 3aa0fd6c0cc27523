import Effects

/// Nothing that is under way is wanted any more.
package struct RequestsStopped: Action, Equatable {
    package init() {}
}
