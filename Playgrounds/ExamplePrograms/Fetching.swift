import FunctionalCore
public import ResourceLoading

/// What fetching uses of the world: the environment of `fetchMany`.
public struct Fetching: Sendable {
    /// What loads.
    public var loader: ResourceLoader
    /// Is told what happens, from any thread; in order for each location.
    public var tell: @Sendable (FetchEvent) -> Void

    public init(loader: ResourceLoader, tell: @escaping @Sendable (FetchEvent) -> Void) {
        self.loader = loader
        self.tell = tell
    }
}

/// What happens to a location, named by its place in the list.
public enum FetchEvent: Sendable {
    /// A load has begun: the first, or another try.
    case began(Int)
    /// Bytes have arrived.
    case progressed(Int, LoadProgress)
    /// A try has failed. Whether there is another one is said by what follows.
    case stumbled(Int, any Error)
    /// It has ended: loaded, given up, or `nil` where it was cancelled. Nothing follows.
    case ended(Int, Result<ResourceSummary, any Error>?)
}

/// Why something was not loaded, in one sentence for a person.
public func reason(for error: any Error) -> String {
    guard let timeout = error as? TimeoutError else { return "\(error)" }
    return "It was not loaded within \(timeout.duration)."
}
