import Foundation

/// The most memory that a program ever had, measured in a process of its own.
enum Memory {
    /// What can be measured, by the name that the process is given.
    static let programs: [String: @Sendable () -> Void] = [
        "left 1,000,000": { runLeftNested(1_000_000) },
        "right 1,000,000": { runRightNested(1_000_000) },
        "right 1,000": { runRightNested(1_000) },
        "no loops": { hold(0, routes: 0) },
        "bare loops": { hold(100_000, routes: 0) },
        "loops of 4 routes": { hold(100_000, routes: 4) },
        "no subscriptions": { holdSubscriptions(0) },
        "subscriptions": { holdSubscriptions(100_000) },
        "effects": { holdEffects(100_000) },
    ]

    static let argument = "--measure-memory"

    /// In megabytes, least of three; infinite where the process dies.
    static func peak(of program: String) -> Double {
        (0..<3).map { _ in onePeak(of: program) }.min() ?? .infinity
    }

    private static func onePeak(of program: String) -> Double {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument, program]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return .infinity }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Double(String(decoding: text, as: UTF8.self)) ?? .infinity : .infinity
    }

    /// What the process does: the work, and the answer on standard output.
    static func measure(_ program: String) {
        guard let work = programs[program] else { fatalError("There is no program \(program) to measure.") }
        work()
        print(ownPeak(), terminator: "")
    }

    /// Linux counts it for the process; elsewhere the resource usage says it (on Linux that one includes the parent's).
    private static func ownPeak() -> Double {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (Double(line.filter(\.isNumber)) ?? .infinity) * 1_024 / 1_000_000
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Double(usage.ru_maxrss) / 1_000_000
        #endif
    }
}
