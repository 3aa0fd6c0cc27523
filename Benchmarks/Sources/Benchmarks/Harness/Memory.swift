import Foundation

/// The peak of a program's memory, measured in a process of its own.
enum Memory {
    /// The programs by name. The name is an argument of the process.
    static let programs: [String: @Sendable () -> Void] = [
        "left 1,000,000": { runLeftNested(1_000_000) },
        "right 1,000,000": { runRightNested(1_000_000) },
        "right 1,000": { runRightNested(1_000) },
        "nothing": {},
        "loops": holdLoops,
        "controllers": holdControllers,
        "stores": holdStores,
        "components": holdComponents,
        "effects": holdEffects,
        "selections": holdSelections,
    ]

    static let argument = "--measure-memory"

    /// The peak in megabytes, the least of three; not a number if one of the processes dies.
    static func peak(of program: String) -> Double {
        let peaks = (0..<3).map { _ in onePeak(of: program) }
        return peaks.contains(where: \.isNaN) ? .nan : peaks.min() ?? .nan
    }

    private static func onePeak(of program: String) -> Double {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument, program]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return .nan }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Double(String(decoding: text, as: UTF8.self)) ?? .nan : .nan
    }

    /// Does the work of such a process and prints its peak.
    static func measure(_ program: String) {
        guard let work = programs[program] else { fatalError("There is no program \(program) to measure.") }
        work()
        print(ownPeak(), terminator: "")
    }

    /// From the process's status on Linux, where the resource usage includes the parent's. Elsewhere from that.
    private static func ownPeak() -> Double {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (Double(line.filter(\.isNumber)) ?? .nan) * 1_024 / 1_000_000
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Double(usage.ru_maxrss) / 1_000_000
        #endif
    }
}
