import Foundation
import Loop
import TestSupport

/// A logger that records its calls and their threads.
struct TellTale<Model, Event, Effect>: MobiusLogger {
    private let log: Log
    private let name: String
    let threads = Record<ThreadMark>()

    init(_ log: Log, name: String = "") {
        self.log = log
        self.name = name
    }

    func willInitiate(model: Model) { write("willInitiate \(model)") }
    func didInitiate(model: Model, first: First<Model, Effect>) { write("didInitiate \(model) \(first)") }
    func willUpdate(model: Model, event: Event) { write("willUpdate \(model) \(event)") }
    func didUpdate(model: Model, event: Event, next: Next<Model, Effect>) {
        write("didUpdate \(model) \(event) \(next)")
    }

    private func write(_ line: String) {
        log.append(name + line)
        threads.append(.current)
    }
}
