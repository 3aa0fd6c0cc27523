import Effects

/// All requests in progress were cancelled.
package struct RequestsStopped: Action, Equatable {
    package init() {}
}
