import Foundation
public import FunctionalCore
import ResourceLoading
public import TerminalSupport

/// Shows what is being fetched: on a terminal a status for each load, below the lines that stay; under a pipe lines
/// alone.
///
/// Unchecked: what changes is touched under the lock alone.
public final class FetchBoard: @unchecked Sendable {
    /// What a load that has begun and not ended does.
    private enum Activity {
        case loading(LoadProgress)
        case waiting(after: any Error)
    }

    private let name: String
    private let locations: [String]
    private let console: Console
    private let lock = NSLock()
    private var activities: [Int: Activity] = [:]
    /// What a load did when it ended.
    private var stops: [Int: Activity] = [:]
    private var stumbles: [Int: any Error] = [:]
    private var results: [Int: Result<ResourceSummary, any Error>] = [:]
    /// Whether the status is that of now.
    private var isDrawn = true

    /// A board for locations that the program with this name fetches.
    public init(of locations: [String], for name: String, on console: Console = .standard) {
        self.name = name
        self.locations = locations
        self.console = console
    }

    /// How many have been loaded so far.
    public var loadedCount: Int {
        lock.withLock { results.values.count { (try? $0.get()) != nil } }
    }

    /// Takes note of what happens, and writes at once what deserves a line that stays. From any thread.
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

    /// The program and, on a terminal, the status of each load while it runs: drawn when something has changed, and at
    /// most twenty times a second of `clock`, however much happens.
    public func shown<Value: Sendable>(
        during program: EnvIO<Fetching, any Error, Value>, clock: some Clock<Duration> = .continuous
    ) -> EnvIO<Fetching, any Error, Value> {
        guard console.isOutputTerminal else { return program }
        let drawing = EnvIO<Fetching, any Error, Void> { (_: Fetching) throws(any Error) in self.draw() }
            .repeat(.spaced(.milliseconds(50)), clock: clock)
        return program.race(drawing.followed(by: .never))
    }

    /// Reports each location that was neither loaded nor given up, since all of it has ended early, and how far its
    /// load had come.
    public func tellUnfinished() {
        lock.withLock {
            for (index, location) in locations.enumerated() where results[index] == nil {
                let lastTry = stumbles[index].map { " The last try failed: \(reason(for: $0))" } ?? ""
                let end = stops[index].map(description(of:)) ?? "its turn had not come"
                console.failure("\(name): \(location): It was not loaded: \(end).\(lastTry)")
            }
        }
    }

    private func description(of activity: Activity) -> String {
        switch activity {
        case .loading(let progress): "it was stopped after \(ProgressBar.amount(progress.bytes))"
        case .waiting: "it was stopped while it waited for another try"
        }
    }

    private func draw() {
        lock.withLock {
            guard !isDrawn else { return }
            isDrawn = true
            console.status(activities.sorted { $0.key < $1.key }.map { status(of: locations[$0.key], $0.value) })
        }
    }

    /// The end of the location, which tells most, and how far it has come or why it waits.
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
