import Dispatch
import Foundation
import Synchronization

/// A transfer that reads a file in pieces.
///
/// Files that always have data are read on a queue of their own, because reading blocks. Other files, such as pipes,
/// are read when data arrives, so that no thread waits.
///
/// `@unchecked Sendable`: the mutable properties except `isCancelled` are accessed only on `calls`. Other accesses
/// would race.
final class FileTransfer: @unchecked Sendable {
    private static let pieceSize = 65_536

    private let path: String
    private let fold: TransferFold
    private let continuation: ResourceLoader.Events.Continuation
    private let calls = DispatchQueue(label: "file transfer")
    private let isCancelled = Atomic(false)
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    /// Calls its handler when there is data to read.
    private var source: (any DispatchSourceRead)?

    static func start(
        path: String, fold: sending TransferFold, telling continuation: ResourceLoader.Events.Continuation
    ) {
        let transfer = FileTransfer(path: path, fold: fold, continuation: continuation)
        // Set before the transfer starts, because a handler that is set after the end would retain the transfer.
        continuation.onTermination = { reason in
            if case .cancelled = reason { transfer.cancel() }
        }
        transfer.calls.async { transfer.begin() }
    }

    private init(path: String, fold: TransferFold, continuation: ResourceLoader.Events.Continuation) {
        self.path = path
        self.fold = fold
        self.continuation = continuation
    }

    deinit {
        piece.deallocate()
    }

    private func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        calls.async { self.source?.cancel() }
    }

    private func begin() {
        do throws(LoadError) {
            let (descriptor, total, mayWait) = try opened()
            if mayWait {
                readWhenReady(descriptor, hasBegun: false)
            } else {
                fold.begin(total: total)
                readAll(of: descriptor)
            }
        } catch {
            continuation.finish(throwing: error)
        }
    }

    private func readAll(of descriptor: Int32) {
        do throws(LoadError) {
            while true {
                switch try read(from: descriptor) {
                case .some:
                    continue
                case .nothingYet:
                    return readWhenReady(descriptor, hasBegun: true)
                case .end:
                    close(descriptor)
                    return finish()
                }
            }
        } catch {
            close(descriptor)
            continuation.finish(throwing: error)
        }
    }

    /// Opens the file. Returns its descriptor, its size if known, and whether reading it may wait for data.
    ///
    /// Opening does not wait, not even for the writer of a named pipe.
    private func opened() throws(LoadError) -> (descriptor: Int32, total: Int?, mayWait: Bool) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.error(path: path, number: errno) }
        var attributes = stat()
        let isKnown = fstat(descriptor, &attributes) == 0
        let kind = attributes.st_mode & S_IFMT
        guard isKnown, kind != S_IFDIR else {
            let error = isKnown ? .isDirectory(path: path) : Self.error(path: path, number: errno)
            close(descriptor)
            throw error
        }
        // Pipes and devices have no size. The files of /proc report zero.
        let total = kind == S_IFREG && attributes.st_size > 0 ? Int(attributes.st_size) : nil
        return (descriptor, total, kind == S_IFIFO || kind == S_IFSOCK || isatty(descriptor) == 1)
    }

    private func readWhenReady(_ descriptor: Int32, hasBegun: Bool) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: calls)
        // In blocking mode, a read without available data would wait.
        let readsAll = fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
        // The result of the transfer, or `nil` before its end.
        nonisolated(unsafe) var end: Result<Void, LoadError>?
        nonisolated(unsafe) var hasBegun = hasBegun
        source.setEventHandler {
            if !hasBegun {
                hasBegun = true
                self.fold.begin(total: nil)
            }
            do throws(LoadError) {
                // Reads all available data, because no event reports the end of a pipe whose writer had closed it
                // before.
                var piece = try self.read(from: descriptor)
                while readsAll, piece == .some { piece = try self.read(from: descriptor) }
                if piece != .end { return }
                end = .success(())
            } catch {
                end = .failure(error)
            }
            source.cancel()
        }
        source.setCancelHandler {
            close(descriptor)
            self.source = nil
            switch end {
            case .success?: self.finish()
            case .failure(let error)?: self.continuation.finish(throwing: error)
            case nil: self.continuation.finish(throwing: LoadError.cancelled(bytesSoFar: self.fold.progress.bytes))
            }
        }
        self.source = source
        source.activate()
        if isCancelled.load(ordering: .relaxed) { source.cancel() }
    }

    private enum Piece {
        case some
        case nothingYet
        case end
    }

    private func read(from descriptor: Int32) throws(LoadError) -> Piece {
        if isCancelled.load(ordering: .relaxed) { throw .cancelled(bytesSoFar: fold.progress.bytes) }
        let count = Foundation.read(descriptor, piece.baseAddress, piece.count)
        if count == 0 { return .end }
        if count > 0 {
            try fold.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        } else if errno == EAGAIN {
            return .nothingYet
        } else if errno != EINTR {
            throw Self.error(path: path, number: errno)
        }
        return .some
    }

    private func finish() {
        continuation.yield(.loaded(fold.summary))
        continuation.finish()
    }

    static func error(path: String, number: Int32) -> LoadError {
        switch number {
        case ENOENT, ENOTDIR: .noSuchFile(path: path)
        case EISDIR: .isDirectory(path: path)
        case EACCES, EPERM: .notPermitted(path: path)
        default: .unreadable(path: path, reason: String(cString: strerror(number)))
        }
    }
}
