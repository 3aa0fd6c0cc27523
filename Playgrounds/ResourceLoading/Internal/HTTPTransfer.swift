import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Counts the bytes of an http answer as they arrive.
///
/// They are folded before the session reads on: nothing is handed on that grows, and a server that sends faster than
/// they are folded has to wait.
///
/// `@unchecked Sendable`: `task` is touched on `calls` alone; `beginning` before the session resumes and in calls of the
/// delegate, as the other properties that change, of which there is one at a time. Two at a time would race for them.
final class HTTPTransfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// How long a server may take until it begins to answer.
    private static let patience = Duration.seconds(30)

    private let url: URL
    private let fold: TransferFold
    private let continuation: ResourceLoader.Events.Continuation
    /// Where sessions are called. Not where a load begins or is let go of: FoundationNetworking waits for its own queue,
    /// which all transfers of the process keep busy, and which may be where it is let go of.
    ///
    /// One for all of them, so that one thread waits at most. Of hundreds that wait, all threads of Dispatch would be
    /// taken, and FoundationNetworking's own queue would be left without one.
    private static let calls = DispatchQueue(label: "http transfers")
    private var task: URLSessionTask?
    /// Waits for the server to begin to answer, and ends the transfer if that takes too long.
    private var beginning: Task<Void, Never>?
    /// Whether that took too long.
    private let isTooLate = Atomic(false)
    /// Whether the server has begun to answer.
    private var hasBegun = false
    /// A failure that is known better than the session will tell.
    private var failure: LoadError?

    static func start(
        url: URL, fold: sending TransferFold, clock: some Clock<Duration>, silence: Duration,
        telling continuation: ResourceLoader.Events.Continuation
    ) {
        let transfer = HTTPTransfer(url: url, fold: fold, continuation: continuation)
        // First, as one that is set after the end would keep the transfer.
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
            // FoundationNetworking does not listen to the answer, and would read the body first, if it ever ends.
            cancel()
            return completionHandler(.cancel)
        }
        fold.statedType = MediaType.essence(of: response.value(forHTTPHeaderField: "Content-Type"))
        hasBegun = true
        fold.begin(total: Self.total(of: response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        // What was on its way when the transfer was ended.
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
        // Not the new request's URL: FoundationNetworking gives one without a host the scheme and the host of the old.
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
        if let failure = failure ?? error.map(failure(for:)) ?? shortage {
            continuation.finish(throwing: failure)
        } else {
            continuation.yield(.loaded(fold.summary))
            continuation.finish()
        }
        // The session keeps its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// The size that the server has promised. A compressed answer is unpacked on the way, so its length says nothing.
    private static func total(of response: HTTPURLResponse) -> Int? {
        let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
        guard encoding.lowercased() == "identity", response.expectedContentLength >= 0 else { return nil }
        return Int(response.expectedContentLength)
    }

    private var host: String {
        let name = url.host() ?? url.absoluteString
        return url.port.map { "\(name):\($0)" } ?? name
    }

    /// An answer that ended early, where the session did not notice.
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
        // What FoundationNetworking calls an answer that breaks off, and one that never begins: it has no code for
        // them.
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
