import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP transfer that counts the bytes of the answer as they arrive.
///
/// The bytes are folded before the session reads more. Memory therefore does not grow, and a server that sends faster
/// has to wait.
///
/// `@unchecked Sendable`: `task` is accessed only on `calls`. The other mutable properties are accessed only in calls
/// of the delegate, and `beginning` also before the session resumes. The session makes one such call at a time.
/// Concurrent calls would race.
final class HTTPTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// The time in which a server must begin to answer.
    private static let patience = Duration.seconds(30)

    private let url: URL
    private let fold: TransferFold
    private let continuation: ResourceLoader.Events.Continuation
    /// The queue on which sessions are called.
    ///
    /// A thread that starts or releases a load must not call the session itself. FoundationNetworking's calls wait for
    /// its own queue. All transfers of the process keep that queue busy, and it may itself release a load.
    ///
    /// All transfers share the queue, so that at most one thread waits. Hundreds of waiting threads would leave no
    /// thread of Dispatch for FoundationNetworking's queue.
    private static let calls = DispatchQueue(label: "http transfers")
    private var task: URLSessionTask?
    /// Cancels the transfer if the server does not begin to answer in time.
    private var beginning: Task<Void, Never>?
    /// Whether the server did not begin to answer in time.
    private let isTooLate = Atomic(false)
    /// Whether the server has begun to answer.
    private var hasBegun = false
    /// An error that is more specific than the one that the session reports.
    private var failure: LoadError?

    static func start(
        url: URL, fold: sending TransferFold, clock: some Clock<Duration>, silence: Duration,
        telling continuation: ResourceLoader.Events.Continuation
    ) {
        let transfer = HTTPTransfer(url: url, fold: fold, continuation: continuation)
        // Set before the transfer starts, because a handler that is set after the end would retain the transfer.
        continuation.onTermination = { reason in
            if case .cancelled = reason { transfer.cancel() }
        }
        let deadline = clock.now.advanced(by: patience)
        let sleep: @Sendable () async throws -> Void = { try await clock.sleep(until: deadline, tolerance: nil) }
        calls.async { transfer.resume(sleep, silence) }
    }

    private init(url: URL, fold: TransferFold, continuation: ResourceLoader.Events.Continuation) {
        self.url = url
        self.fold = fold
        self.continuation = continuation
    }

    private func resume(_ sleep: @escaping @Sendable () async throws -> Void, _ silence: Duration) {
        beginning = Task {
            guard (try? await sleep()) != nil else { return }
            isTooLate.store(true, ordering: .relaxed)
            cancel()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = silence / .seconds(1)
        let session = URLSession(
            configuration: configuration, delegate: self, delegateQueue: Platform.delegateQueue())
        task = session.dataTask(with: url)
        task?.resume()
    }

    private func cancel() {
        Self.calls.async { self.task?.cancel() }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        beginning?.cancel()
        guard let response = response as? HTTPURLResponse else { return completionHandler(.allow) }
        // A redirection that was refused.
        if failure != nil { return completionHandler(.cancel) }
        guard (200...299).contains(response.statusCode) else {
            failure = .status(response.statusCode, location: (response.url ?? url).absoluteString)
            // FoundationNetworking ignores this disposition and would read the whole body first, even an endless one.
            cancel()
            return completionHandler(.cancel)
        }
        fold.statedType = MediaType.essence(of: response.value(forHTTPHeaderField: "Content-Type"))
        hasBegun = true
        fold.begin(total: Self.total(of: response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        // Data that was in transit when the transfer was cancelled.
        if failure != nil { return }
        do {
            try data.withUnsafeBytes { bytes in try fold.add(bytes) }
        } catch {
            failure = error as? LoadError
            cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The new request's URL is not usable: FoundationNetworking replaces the scheme of a target without a host.
        let target = response.value(forHTTPHeaderField: "Location") ?? ""
        if let scheme = URL(string: target)?.scheme?.lowercased(), !["http", "https"].contains(scheme) {
            failure = .refusedRedirect(to: target, host: host)
            cancel()
            return completionHandler(nil)
        }
        completionHandler(request)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        beginning?.cancel()
        if let failure = failure ?? error.map(failure(for:)) ?? unfollowed(task) ?? shortage {
            continuation.finish(throwing: failure)
        } else {
            continuation.yield(.loaded(fold.summary))
            continuation.finish()
        }
        // The session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Returns the size that the server has stated. The length of a compressed answer is not the number of received
    /// bytes.
    private static func total(of response: HTTPURLResponse) -> Int? {
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        guard encoding.lowercased() == "identity", response.expectedContentLength >= 0 else { return nil }
        return Int(response.expectedContentLength)
    }

    private var host: String {
        let name = url.host() ?? url.absoluteString
        return url.port.map { "\(name):\($0)" } ?? name
    }

    /// The error for a redirection that states no target. FoundationNetworking does not pass it to the delegate.
    private func unfollowed(_ task: URLSessionTask) -> LoadError? {
        guard !hasBegun, let response = task.response as? HTTPURLResponse else { return nil }
        return .status(response.statusCode, location: (response.url ?? url).absoluteString)
    }

    /// The error for an answer that ended early if the session reported none.
    private var shortage: LoadError? {
        guard let total = fold.progress.total, fold.progress.bytes < total else { return nil }
        return lost
    }

    private var lost: LoadError {
        .connectionLost(host: host, bytesSoFar: fold.progress.bytes, total: fold.progress.total)
    }

    private func failure(for error: any Error) -> LoadError {
        let reason = error.localizedDescription
        guard let error = error as? URLError else {
            return .transferFailed(location: url.absoluteString, reason: reason)
        }
        switch error.code {
        case .cancelled where !hasBegun && isTooLate.load(ordering: .relaxed):
            return .notAnswered(host: host, within: Self.patience)
        case .cancelled: return .cancelled(bytesSoFar: fold.progress.bytes)
        case .cannotFindHost, .dnsLookupFailed: return .unknownHost(url.host() ?? url.absoluteString)
        case .cannotConnectToHost: return .connectionRefused(host: host)
        case .networkConnectionLost: return lost
        // FoundationNetworking has no codes for an answer that is cut off or that never begins. It reports these.
        case .unknown where hasBegun:
            let progress = fold.progress
            let isMalformed = reason.contains("chunk") || progress == LoadProgress(bytes: 0)
            return isMalformed ? .malformedAnswer(host: host, bytesSoFar: progress.bytes) : lost
        case .badServerResponse where !hasBegun && reason == "Empty reply from server": return lost
        case .timedOut: return .timedOut(host: host, bytesSoFar: fold.progress.bytes)
        case .badURL: return .malformedLocation(url.absoluteString)
        default: return .transferFailed(location: url.absoluteString, reason: reason)
        }
    }
}
