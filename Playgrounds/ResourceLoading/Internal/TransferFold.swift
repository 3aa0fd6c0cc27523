/// A fold of the bytes of a transfer into its progress and its summary. It keeps only the first bytes.
///
/// Must be used by one thread at a time.
final class TransferFold {
    /// The minimum time between two reports of progress.
    private static let interval = Duration.milliseconds(50)

    private let stopwatch: Stopwatch
    private let name: String
    private let location: String
    private let limit: Int
    private let tell: (LoadProgress) -> Void
    private var lastTold: Duration?
    private var beginning = Beginning()
    /// The type that the server stated.
    var statedType: String?
    private(set) var progress = LoadProgress(bytes: 0)

    init(
        stopwatch: Stopwatch, name: String, location: String, limit: Int, tell: @escaping (LoadProgress) -> Void
    ) {
        self.stopwatch = stopwatch
        self.name = name
        self.location = location
        self.limit = limit
        self.tell = tell
    }

    /// Begins the transfer and reports its progress.
    func begin(total: Int?) {
        progress = LoadProgress(bytes: 0, total: total)
        tellProgress()
    }

    /// Adds bytes that have arrived.
    ///
    /// - Throws: `LoadError.tooLarge` if the total is unknown and the bytes exceed the limit.
    func add(_ bytes: UnsafeRawBufferPointer) throws(LoadError) {
        progress.bytes += bytes.count
        if progress.total == nil, progress.bytes > limit { throw .tooLarge(location: location, limit: limit) }
        beginning.add(bytes)
        tellProgress()
    }

    /// The summary of the resource. Complete when all bytes have been added.
    var summary: ResourceSummary {
        let preview = beginning.preview(of: progress.bytes)
        return ResourceSummary(
            size: progress.bytes,
            type: statedType ?? MediaType.guess(name: name, beginning: beginning.bytes, preview: preview),
            preview: preview)
    }

    private func tellProgress() {
        let now = stopwatch.elapsed()
        if let lastTold, now - lastTold < Self.interval { return }
        lastTold = now
        tell(progress)
    }
}
