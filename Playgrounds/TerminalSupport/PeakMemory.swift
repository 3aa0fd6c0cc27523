import Foundation

/// The peak memory of this process.
public enum PeakMemory {
    /// The peak of the resident bytes so far, or `nil` if the system does not report it.
    public static var bytes: Int? {
        #if os(Linux)
            // Not `ru_maxrss`, which begins with the size of the parent process.
            guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
                let kibibytes = Int(line.split(whereSeparator: \.isWhitespace)[1])
            else { return nil }
            return kibibytes * 1_024
        #else
            var usage = rusage()
            guard getrusage(RUSAGE_SELF, &usage) == 0 else { return nil }
            return usage.ru_maxrss
        #endif
    }

    /// Writes `peak memory: N bytes` to standard error at exit if the environment contains `REPORT_PEAK_MEMORY=1`.
    public static func reportAtExitIfAsked() {
        guard ProcessInfo.processInfo.environment["REPORT_PEAK_MEMORY"] == "1" else { return }
        atexit {
            guard let bytes = PeakMemory.bytes else { return }
            Console.standard.failure("peak memory: \(bytes) bytes")
        }
    }
}
