import ExamplePrograms
import Foundation
import ResourceLoading
import TerminalSupport

/// Shows what is being fetched: on a terminal a bar for each load, below the lines that stay; under a pipe lines alone.
///
/// Unchecked: what changes is touched under the lock alone.
final class FetchBoard: @unchecked Sendable {
    private let name: String
    private let locations: [String]
    private let console: Console
    private let lock = NSLock()
    private var progress: [Int: LoadProgress] = [:]
    private var stumbles: [Int: any Error] = [:]
    private(set) var loadedCount = 0

    init(of locations: [String], for name: String, on console: Console = .standard) {
        self.name = name
        self.locations = locations
        self.console = console
    }

    func take(_ event: FetchEvent) {
        lock.withLock {
            switch event {
            case .began(let index):
                progress[index] = LoadProgress(bytes: 0)
                if let error = stumbles[index] {
                    console.line("\(locations[index]): trying again: \(reason(for: error))")
                } else if !console.isOutputTerminal {
                    console.line("\(locations[index]): loading")
                }
            case .progressed(let index, let amount):
                progress[index] = amount
            case .stumbled(let index, let error):
                stumbles[index] = error
            case .ended(let index, let result):
                progress[index] = nil
                switch result {
                case .success(let summary)?:
                    loadedCount += 1
                    console.line("\(locations[index]): loaded \(summary.size) bytes of \(summary.type)")
                case .failure(let error)?:
                    console.failure("\(name): \(locations[index]): \(reason(for: error))")
                case nil:
                    break
                }
            }
            console.status(progress.sorted { $0.key < $1.key }.map { bar(locations[$0.key], $0.value) })
        }
    }

    /// The end of the location, which tells most, and how far it has come.
    private func bar(_ location: String, _ progress: LoadProgress) -> String {
        let width = console.width - 1
        let label = location.suffix(max(8, width / 3))
        let bar = ProgressBar.line(done: progress.bytes, total: progress.total, width: width - label.count - 1)
        return "\(label) \(bar)"
    }
}
