/// A loader of paths and URLs that reports its progress and a summary. Use it as a dependency in an environment.
///
/// ```swift
/// let loader = ResourceLoader.live()
/// let summary = try await loader.load("README.md") { progress in print(progress.bytes) }
/// ```
///
/// The loader is a value with one function, so that a test can replace it in a few lines.
public struct ResourceLoader: Sendable {
    /// The events of a load, in order. The sequence ends after the summary, or throws a `LoadError`.
    public typealias Events = AsyncThrowingStream<LoadEvent, any Error>

    /// Starts to load a path, a `file:` URL or an http(s) URL.
    ///
    /// To stop the load, cancel the task that consumes the events, or release them. They then end without a summary.
    public var events: @Sendable (_ location: String) -> Events

    /// Creates a loader from a function.
    public init(events: @escaping @Sendable (_ location: String) -> Events) {
        self.events = events
    }

    /// Returns a loader of real files and servers.
    ///
    /// Files are read in pieces on a thread of their own. Pipes are read when they have data. The bytes of HTTP answers
    /// are counted as they arrive. Memory does not grow with the size of the resource.
    ///
    /// Progress is reported when the size becomes known, and then at most once in 50 milliseconds of `clock`.
    ///
    /// A load fails if a server does not begin to answer within 30 seconds of `clock`, or if it sends nothing for
    /// `silence`, which is real time. A load of a resource that does not state its size, such as `/dev/zero`, fails
    /// after `limit` bytes.
    public static func live(
        clock: some Clock<Duration> = ContinuousClock(), limit: Int = 1_000_000_000, silence: Duration = .seconds(60)
    ) -> ResourceLoader {
        ResourceLoader { text in
            Events { continuation in
                do throws(LoadError) {
                    let location = try Location(text)
                    let fold = TransferFold(
                        stopwatch: Stopwatch(clock), name: location.name, location: text, limit: limit
                    ) { progress in continuation.yield(.progress(progress)) }
                    switch location {
                    case .file(let path):
                        FileTransfer.start(path: path, fold: fold, telling: continuation)
                    case .http(let url):
                        HTTPTransfer.start(url: url, fold: fold, clock: clock, silence: silence, telling: continuation)
                    }
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
    }

    /// Loads a location and returns its summary.
    ///
    /// Cancelling the calling task ends the transfer and throws `LoadError.cancelled` at once.
    ///
    /// - Throws: `LoadError`
    public nonisolated(nonsending) func load(
        _ location: String, onProgress: (LoadProgress) -> Void = { _ in }
    ) async throws(LoadError) -> ResourceSummary {
        var bytes = 0
        do {
            for try await event in events(location) {
                switch event {
                case .progress(let progress):
                    bytes = progress.bytes
                    onProgress(progress)
                case .loaded(let summary):
                    return summary
                }
            }
        } catch let error as LoadError {
            throw error
        } catch {
            throw .transferFailed(location: location, reason: "\(error)")
        }
        throw .cancelled(bytesSoFar: bytes)
    }
}
