import Effects

/// An action with which a request begins.
package protocol Question: Action {
    var request: Request { get }
}
