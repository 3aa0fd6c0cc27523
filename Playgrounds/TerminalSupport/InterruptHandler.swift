import Dispatch
import Foundation

/// Catches Ctrl-C (`SIGINT`), so that a program can stop its work and say so.
///
/// The first interrupt calls the closure, on a thread of its own; a second one ends the process at once with status
/// 130, for a person whose program does not stop. When `init` has returned, interrupts are caught. One per process.
///
/// ```swift
/// let interrupts = InterruptHandler { task.cancel() }
/// ```
///
/// `@unchecked Sendable`: `source` is not changed after `init`, and its methods may be called from any thread.
public final class InterruptHandler: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    /// Begins to catch interrupts.
    public init(_ onInterrupt: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        let queue = DispatchQueue(label: "interrupts")
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        // Touched on `queue` alone.
        nonisolated(unsafe) var isFirst = true
        source.setEventHandler {
            guard isFirst else {
                KeyMode.restore()
                _exit(ExitStatus.interrupted)
            }
            isFirst = false
            onInterrupt()
        }
        source.setCancelHandler { signal(SIGINT, KeyMode.ending) }
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        // An interrupt between here and the registration would be lost; it takes microseconds.
        isRegistered.wait()
    }

    deinit {
        cancel()
    }

    /// Gives Ctrl-C its usual meaning back soon: it ends the process. Allowed from any thread, and more than once.
    public func cancel() {
        source.cancel()
    }
}
