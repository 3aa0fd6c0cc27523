/// Loads what a path or a URL names, and tells how far it has come and what it was: a dependency for an environment.
///
/// ```swift
/// let loader = ResourceLoader.live()
/// let summary = try await loader.load("README.md") { progress in print(progress.bytes) }
/// ```
///
/// A value with one function, so that a test replaces it by a few lines.
public struct ResourceLoader: Sendable {
    /// What a load tells, in order. It ends after the summary, or throws a `LoadError`.
    public typealias Events = AsyncThrowingStream<LoadEvent, any Error>

    /// Starts to load a path, a `file:` URL or an http(s) URL.
    ///
    /// To stop it, cancel the task that consumes the events, or let go of them. The events then end without a summary.
    public var events: @Sendable (_ location: String) -> Events

    /// A loader that does what the function does.
    public init(events: @escaping @Sendable (_ location: String) -> Events) {
        self.events = events
    }

    /// The loader of real files and servers.
    ///
    /// Files are read in pieces on a thread of their own, pipes when there is something in them, and http is counted as
    /// it arrives; memory does not grow with the size of the resource. Progress is told at most twenty times a second of
    /// `clock`: when the size becomes known, and then when bytes arrive 50 milliseconds or more after the last time.
    ///
    /// A load fails if a server does not begin to answer within 30 seconds of `clock`, or sends nothing during `silence`,
    /// which is real time.
    /// A load of a resource that does not state its size, such as `/dev/zero`, fails after `limit` bytes.
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

    /// Loads something and answers its summary.
    ///
    /// - Throws: `LoadError`; `LoadError.cancelled` at once when the calling task is cancelled, which ends the
    ///   transfer.
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
