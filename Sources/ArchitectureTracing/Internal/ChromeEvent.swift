/// An event in the Trace Event Format.
struct ChromeEvent: Encodable {
    var name: String
    var cat: String?
    /// The phase, which is the type of the event.
    var ph: Phase
    /// The time in microseconds.
    var ts: Double
    var pid: Int
    var tid: Int
    /// The id that connects the events of a work, or the two ends of an arrow.
    var id: Int?
    /// The scope of an instant: a thread, a process, or the whole trace.
    var s: String?
    /// `e` if an arrow ends at the slice that encloses its end.
    var bp: String?
    var args: Arguments?

    enum Phase: String, Encodable {
        case sliceBegin = "B"
        case sliceEnd = "E"
        case asyncBegin = "b"
        case asyncInstant = "n"
        case asyncEnd = "e"
        case instant = "i"
        case flowBegin = "s"
        case flowEnd = "f"
        case metadata = "M"
    }

    enum Arguments: Encodable {
        case record(TraceRecord)
        case name(String)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .record(let record): try record.encode(to: encoder)
            case .name(let name): try ["name": name].encode(to: encoder)
            }
        }
    }
}

extension ChromeEvent {
    /// Returns the events of a file for the records of a trace.
    ///
    /// - Parameter records: The records, in the order of time. Records of one thread are in the order of their numbers.
    static func events(of records: [TraceRecord]) -> [ChromeEvent] {
        var translation = ChromeTranslation(records)
        for record in records { translation.append(record) }
        return translation.metadata + translation.events
    }
}

/// A translator of the records of a trace, one after the other, into events of the Trace Event Format.
private struct ChromeTranslation {
    private(set) var events: [ChromeEvent] = []
    private(set) var metadata: [ChromeEvent] = []
    /// The numbers of the threads in the file. Threads are numbered in the order in which they appear, because the
    /// format allows only 32 bits for a thread.
    private var threads: [UInt: Int] = [:]
    private var namedThreads: [Int: Set<Int>] = [:]
    private let records: [Int: TraceRecord]
    /// The numbers of the messages whose end is missing, if the trace has a gap. Such a message becomes an instant,
    /// because a slice without an end would contain all later slices of its thread.
    private let endless: Set<Int>
    /// The number of the message that causes an event directly or through works, by the number of the event. Contains
    /// only messages that are among the records.
    private var origins: [Int: Int] = [:]
    /// The numbers of the messages that a message causes directly or through works, by the number of that message.
    private var effects: [Int: [Int]] = [:]

    init(_ records: [TraceRecord]) {
        // Gaps are left out, because a gap has the number of a missing event.
        self.records = Dictionary(records.filter { $0.kind != .gap }.map { ($0.id, $0) }) { first, _ in first }
        let hasGap = records.contains { $0.kind == .gap }
        endless =
            hasGap
            ? Set(records.filter { $0.kind == .received }.map(\.id)).subtracting(records.compactMap(\.messageID)) : []
        // A cause has a lower number than its consequence, so the origin of the cause is already known.
        for record in records.sorted(by: { $0.id < $1.id }) {
            guard let cause = record.cause.flatMap({ self.records[$0] }) else { continue }
            let origin = cause.kind == .received ? cause.id : origins[cause.id]
            origins[record.id] = origin
            if let origin, record.kind == .received { effects[origin, default: []].append(record.id) }
        }
    }

    mutating func append(_ record: TraceRecord) {
        let thread = threads[record.thread] ?? threads.count + 1
        threads[record.thread] = thread
        addMetadata(of: record, thread)

        func add(
            _ phase: ChromeEvent.Phase, _ name: String, _ category: String, id: Int? = nil, scope: String? = nil,
            isBoundToEnclosing: Bool = false, hasArguments: Bool = true
        ) {
            events.append(
                ChromeEvent(
                    // A line that was not written by a trace may contain a time that would become infinite.
                    name: name, cat: category, ph: phase, ts: (max(-1e9, min(record.time, 1e9)) * 1e9).rounded() / 1e3,
                    pid: record.owner.number, tid: thread, id: id, s: scope, bp: isBoundToEnclosing ? "e" : nil,
                    args: hasArguments ? .record(record) : nil))
        }

        switch record.kind {
        case .received:
            if endless.contains(record.id) {
                add(.instant, short(record.message), "message", scope: "t")
            } else {
                add(.sliceBegin, short(record.message), "message")
            }
            if origins[record.id] != nil {
                add(.flowEnd, "cause", "cause", id: record.id, isBoundToEnclosing: true, hasArguments: false)
            }
            for effect in effects[record.id] ?? [] {
                add(.flowBegin, "cause", "cause", id: effect, hasArguments: false)
            }
        case .handled:
            guard let begin = record.messageID.flatMap({ records[$0] }) else { break }
            add(.sliceEnd, short(begin.message), "message", hasArguments: false)
        case .started:
            add(.asyncBegin, short(record.subject), "work", id: record.id)
        case .suspended:
            if begin(of: record) != nil { add(.asyncInstant, "suspended", "work", id: record.workID) }
        case .ended, .cancelled:
            if let begin = begin(of: record) { add(.asyncEnd, short(begin.subject), "work", id: begin.id) }
        case .failed:
            if let begin = begin(of: record) {
                add(.asyncEnd, short(begin.subject), "work", id: begin.id)
            } else {
                add(.instant, "failed: \(short(record.error))", "failure", scope: "t")
            }
        case .recovered:
            add(.instant, "recovered: \(short(record.error))", "failure", scope: "t")
        case .created, .closed:
            add(.instant, record.kind.rawValue, "owner", scope: "p")
        case .changed:
            add(.instant, "changed", "state", scope: "t")
        case .decided:
            add(.instant, "\(record.decision ?? "decided"): \(short(record.subject))", "policy", scope: "t")
        case .dropped:
            add(.instant, "dropped: \(short(record.message))", "message", scope: "t")
        case .endlessChain:
            add(.instant, "endless chain", "message", scope: "t")
        case .gap:
            add(.instant, "\(record.missingEvents ?? 0) events are missing", "gap", scope: "g")
        }
    }

    private func begin(of record: TraceRecord) -> TraceRecord? {
        record.workID.flatMap { records[$0] }
    }

    /// Adds events that name the owner, as a process, and the thread, if the file does not contain them yet.
    private mutating func addMetadata(of record: TraceRecord, _ thread: Int) {
        let process = record.owner.number
        func add(_ name: String, _ value: String) {
            metadata.append(
                ChromeEvent(name: name, ph: .metadata, ts: 0, pid: process, tid: thread, args: .name(value)))
        }
        if namedThreads[process] == nil { add("process_name", record.owner.description) }
        if namedThreads[process, default: []].insert(thread).inserted { add("thread_name", "thread \(thread)") }
    }

    /// Returns the beginning of a text, for the name of an event. The arguments of the event contain the whole text.
    private func short(_ text: String?) -> String {
        let longest = 60
        guard let text else { return "" }
        return text.count > longest ? text.prefix(longest) + "…" : text
    }
}
