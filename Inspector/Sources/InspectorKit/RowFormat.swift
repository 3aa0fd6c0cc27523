import ArchitectureTracing
import Foundation
import FunctionalCore

/// The format of the rows of a page. It is written only here: a page contains it as `rowFormat`, before its scripts.
enum RowFormat {
    /// The values of a row, in their order. The later ones may be missing.
    ///
    /// `detail` is the source of a message or a work, a decision, or the reason of a drop: a place in the list of the
    /// kind, from 1. It is the number of observers of a change, and the number of events that are missing in a gap. The
    /// text of a change is its summary. Each of its changes is `[path, from, to]`, with `null` for a value that it does not
    /// have, and with values as in a trace. If not all fit, the last element is the number of the others.
    enum Field: String, CaseIterable {
        case id, cause, root, time, thread, owner, kind, detail, ref, text, changes
    }

    /// The names of kinds. The last one is for those that `TraceRecord` does not have.
    static let kinds = TraceRecord.Kind.allCases.map(\.rawValue) + ["other"]
    static let sources = TraceEvent.Source.allCases.map(\.rawValue)
    static let decisions = [TraceEvent.Decision.starts, .waits, .delayed, .dropped, .replaced].map { "\($0)" }
    static let reasons = TraceEvent.DropReason.allCases.map(\.rawValue)

    static func number(of kind: TraceRecord.Kind?) -> Int {
        kind.flatMap { kinds.firstIndex(of: $0.rawValue) } ?? kinds.count - 1
    }

    /// A line of JavaScript.
    static var script: String {
        let lists = [
            ("fields", Field.allCases.map(\.rawValue)), ("kinds", kinds), ("sources", sources),
            ("decisions", decisions), ("reasons", reasons),
        ]
        let properties = lists.map { "\($0): [\($1.map { "\"\($0)\"" }.joined(separator: ", "))]" }
        return "const rowFormat = { \(properties.joined(separator: ", ")) };\n"
    }
}
