import FunctionalCore
public import ResourceLoading

/// The environment of `fetchMany`.
public struct Fetching: Sendable {
    /// Loads the locations.
    public var loader: ResourceLoader
    /// Receives the events, on any thread. The events of one location arrive in order.
    public var tell: @Sendable (FetchEvent) -> Void

    public init(loader: ResourceLoader, tell: @escaping @Sendable (FetchEvent) -> Void) {
        self.loader = loader
        self.tell = tell
    }
}

/// An event of a location, which is identified by its index in the list.
public enum FetchEvent: Sendable {
    /// A try has begun.
    case began(Int)
    /// Bytes have arrived.
    case progressed(Int, LoadProgress)
    /// A try has failed. Another `began` or `ended` follows.
    case stumbled(Int, any Error)
    /// The load has succeeded, has failed, or was cancelled (`nil`). This is its last event.
    case ended(Int, Result<ResourceSummary, any Error>?)
}

/// Returns one sentence for a person that says why a location was not loaded.
public func reason(for error: any Error) -> String {
    guard let timeout = error as? TimeoutError else { return "\(error)" }
    return "The load took longer than \(timeout.duration)."
}
