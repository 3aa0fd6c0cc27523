import Foundation

/// The most memory that this process has held at once.
public enum PeakMemory {
    /// Resident bytes at the peak so far; nil where the system does not say.
    public static var bytes: Int? {
        #if os(Linux)
            // Not `ru_maxrss`: that begins with the size of the process that started this one.
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

    /// When the environment has `REPORT_PEAK_MEMORY=1`: at exit, one line `peak memory: N bytes` on standard error.
    public static func reportAtExitIfAsked() {
        guard ProcessInfo.processInfo.environment["REPORT_PEAK_MEMORY"] == "1" else { return }
        atexit {
            guard let bytes = PeakMemory.bytes else { return }
            Console.standard.failure("peak memory: \(bytes) bytes")
        }
    }
}
