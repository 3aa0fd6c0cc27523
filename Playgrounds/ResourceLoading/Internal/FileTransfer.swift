import Dispatch
import Foundation
import Synchronization

/// Reads a file in pieces, on a thread of its own, since reading blocks.
enum FileTransfer {
    private static let pieceSize = 65_536

    static func start(
        path: String, fold: sending TransferFold, telling continuation: ResourceLoader.Events.Continuation
    ) {
        let stop = Stop()
        continuation.onTermination = { _ in stop.isRequested.store(true, ordering: .relaxed) }
        // The fold is handed over to the queue's thread and used there alone.
        nonisolated(unsafe) let fold = fold
        DispatchQueue(label: "file transfer").async {
            do throws(LoadError) {
                try read(path: path, into: fold, until: stop)
                continuation.yield(.loaded(fold.summary))
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    private final class Stop: Sendable {
        let isRequested = Atomic(false)
    }

    private static func read(path: String, into fold: TransferFold, until stop: Stop) throws(LoadError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(path: path, number: errno) }
        defer { close(descriptor) }
        var attributes = stat()
        guard fstat(descriptor, &attributes) == 0 else { throw error(path: path, number: errno) }
        let kind = attributes.st_mode & S_IFMT
        if kind == S_IFDIR { throw .isDirectory(path: path) }
        // Pipes and devices have no size; neither have the files of /proc, which say zero.
        fold.begin(total: kind == S_IFREG && attributes.st_size > 0 ? Int(attributes.st_size) : nil)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { piece.deallocate() }
        while true {
            if stop.isRequested.load(ordering: .relaxed) { throw .cancelled(bytesSoFar: fold.progress.bytes) }
            let count = Foundation.read(descriptor, piece.baseAddress, pieceSize)
            if count == 0 { return }
            if count > 0 {
                fold.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            } else if errno != EINTR {
                throw error(path: path, number: errno)
            }
        }
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
