import Effects

/// An action that begins a request.
package protocol Question: Action {
    var request: Request { get }
}
