import Foundation
public import FunctionalCore
import ResourceLoading
public import TerminalSupport

/// A view of the loads: on a terminal, a status for each load below the lines that stay; otherwise only lines.
///
/// Unchecked: all methods access the mutable properties only while they hold `lock`. Other accesses would race.
public final class FetchBoard: @unchecked Sendable {
    /// The activity of a load that has begun and not ended.
    private enum Activity {
        case loading(LoadProgress)
        case waiting(after: any Error)
    }

    private let name: String
    private let locations: [String]
    private let console: Console
    private let lock = NSLock()
    private var activities: [Int: Activity] = [:]
    /// The last activity of each load that has ended.
    private var stops: [Int: Activity] = [:]
    private var stumbles: [Int: any Error] = [:]
    private var results: [Int: Result<ResourceSummary, any Error>] = [:]
    /// Whether the drawn status is current.
    private var isDrawn = true

    /// Creates a board for the locations that the program `name` fetches.
    public init(of locations: [String], for name: String, on console: Console = .standard) {
        self.name = name
        self.locations = locations
        self.console = console
    }

    /// Records an event, and writes a line if the event needs one that stays. May be called from any thread.
    public func take(_ event: FetchEvent) {
        lock.withLock {
            isDrawn = false
            switch event {
            case .began(let index):
                activities[index] = .loading(LoadProgress(bytes: 0))
                if let error = stumbles[index] {
                    console.line("\(locations[index]): trying again: \(reason(for: error))")
                } else if !console.isOutputTerminal {
                    console.line("\(locations[index]): loading")
                }
            case .progressed(let index, let progress):
                activities[index] = .loading(progress)
            case .stumbled(let index, let error):
                stumbles[index] = error
                activities[index] = .waiting(after: error)
            case .ended(let index, let result):
                stops[index] = activities[index]
                activities[index] = nil
                results[index] = result
                switch result {
                case .success(let summary)?:
                    console.line(
                        "\(locations[index]): loaded \(ProgressBar.exactAmount(summary.size)) of \(summary.type)")
                case .failure(let error)?:
                    console.failure("\(name): \(locations[index]): \(reason(for: error))")
                case nil:
                    break
                }
            }
        }
    }

    /// Returns the program, which on a terminal also draws the status of each load while it runs.
    ///
    /// The status is drawn after changes, and at most twenty times a second of `clock`.
    public func shown<Value: Sendable>(
        during program: EnvIO<Fetching, any Error, Value>, clock: some Clock<Duration> = .continuous
    ) -> EnvIO<Fetching, any Error, Value> {
        guard console.isOutputTerminal else { return program }
        let drawing = EnvIO<Fetching, any Error, Void> { (_: Fetching) throws(any Error) in self.draw() }
            .repeat(.spaced(.milliseconds(50)), clock: clock)
        return program.race(drawing.followed(by: .never))
    }

    /// Reports each location that has no result because the program ended early, with the progress of its load.
    public func tellUnfinished() {
        lock.withLock {
            for (index, location) in locations.enumerated() where results[index] == nil {
                let lastTry = stumbles[index].map { " The last try failed: \(reason(for: $0))" } ?? ""
                let end = stops[index].map(description(of:)) ?? "The load did not start"
                console.failure("\(name): \(location): \(end).\(lastTry)")
            }
        }
    }

    private func description(of activity: Activity) -> String {
        switch activity {
        case .loading(let progress): "The load was stopped after \(ProgressBar.amount(progress.bytes))"
        case .waiting: "The load was stopped while it waited for another try"
        }
    }

    private func draw() {
        lock.withLock {
            guard !isDrawn else { return }
            isDrawn = true
            console.status(activities.sorted { $0.key < $1.key }.map { status(of: locations[$0.key], $0.value) })
        }
    }

    /// Returns the end of the location, which distinguishes it best, and the progress or the reason for waiting.
    private func status(of location: String, _ activity: Activity) -> String {
        let width = console.statusWidth
        let label = location.shortened(to: max(8, width / 3))
        let text =
            switch activity {
            case .loading(let progress):
                ProgressBar.line(done: progress.bytes, total: progress.total, width: width - label.count - 1)
            case .waiting(let error):
                "waiting: \(reason(for: error))"
            }
        return "\(label) \(text)"
    }
}
