/// Folds the bytes of a transfer, as they arrive, into what is told of them; keeps none but the first few.
///
/// Used by one thread at a time.
final class TransferFold {
    /// At most twenty times a second.
    private static let interval = Duration.milliseconds(50)

    private let stopwatch: Stopwatch
    private let name: String
    private let location: String
    private let limit: Int
    private let tell: (LoadProgress) -> Void
    private var lastTold: Duration?
    private var beginning = Beginning()
    /// What the server says the type is.
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

    /// The transfer begins.
    func begin(total: Int?) {
        progress = LoadProgress(bytes: 0, total: total)
        tellProgress()
    }

    /// Some more bytes have arrived.
    ///
    /// - Throws: `LoadError.tooLarge` if the total is unknown and the bytes exceed the limit.
    func add(_ bytes: UnsafeRawBufferPointer) throws(LoadError) {
        progress.bytes += bytes.count
        if progress.total == nil, progress.bytes > limit { throw .tooLarge(location: location, limit: limit) }
        beginning.add(bytes)
        tellProgress()
    }

    /// What it was, now that everything is there.
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
