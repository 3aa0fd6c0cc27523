import ArchitectureTracing
import Foundation

/// A reason to skip a line of a trace.
enum Skip: String, Error {
    case notUTF8 = "is not UTF-8"
    case notJSON = "is not JSON"
    case cutOff = "is cut off"
    case notAnObject = "is not a JSON object"
    case tooLong = "is longer than 256 MB"
    case noNumber = "has no valid number"
    case noKind = "has no kind"
    case noTime = "has no valid time"
    case noOwner = "has no valid owner"
    case repeated = "repeats the number of an earlier event"
    case late = "arrived after events with higher numbers"
}

/// The keys of a line: the properties of `TraceRecord`.
private enum Key: String, CodingKey {
    case id, cause, root, time, thread, owner, kind, message, messageID, messages, source, subject, decision, reason
    case workID, error, recovery, state, from, to, difference, observers, missingEvents
}

extension KeyedDecodingContainer<Key> {
    /// A positive number that JavaScript can represent, or `nil`.
    fileprivate func number(_ key: Key) -> Int? {
        guard let value = try? decodeIfPresent(Int.self, forKey: key), value > 0, value < 1 << 53 else { return nil }
        return value
    }

    /// A text. A value of another type becomes its JSON.
    fileprivate func text(_ key: Key) -> String? {
        guard contains(key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        if (try? decodeNil(forKey: key)) == true { return nil }
        return (try? decode(JSONText.self, forKey: key))?.text
    }

    fileprivate func texts(_ key: Key) -> [String]? {
        guard contains(key) else { return nil }
        if let texts = try? decode([String].self, forKey: key) { return texts }
        return (try? decode([JSONText].self, forKey: key))?.map {
            if case .string(let text) = $0 { text } else { $0.text }
        }
    }
}

/// What every line of a trace needs. Decoding throws a `Skip` if a line lacks it.
struct LineHead: Decodable {
    struct Owner: Hashable, Decodable {
        let name: String
        let number: Int
    }

    let id: Int
    /// `nil` for a kind that `TraceRecord` does not have.
    let kind: TraceRecord.Kind?
    let time: Double
    let owner: Owner
    let thread: Int
    let cause: Int?
    let workID: Int?
    let missingEvents: Int?
    /// Whether the line has a state of its owner.
    let hasState: Bool

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        guard let id = values.number(.id) else { throw Skip.noNumber }
        self.id = id
        guard let name = try? values.decode(String.self, forKey: .kind) else { throw Skip.noKind }
        kind = TraceRecord.Kind(rawValue: name)
        guard let time = try? values.decode(Double.self, forKey: .time), time.magnitude <= 1e9 else {
            throw Skip.noTime
        }
        self.time = time
        guard let owner = try? values.decode(Owner.self, forKey: .owner) else { throw Skip.noOwner }
        self.owner =
            owner.name.utf8.count > 200 ? Owner(name: String(owner.name.prefix(200)), number: owner.number) : owner
        thread = (try? values.decode(Int.self, forKey: .thread)) ?? 0
        cause = values.number(.cause)
        workID = values.number(.workID)
        missingEvents = values.number(.missingEvents)
        hasState = values.contains(kind == .changed ? .to : .state)
    }
}

/// A line of a trace. Values of another type than expected are omitted or become texts.
struct TraceLine: Decodable {
    let head: LineHead
    let root: Int
    let message: String?
    let messageID: Int?
    let messages: [String]?
    let source: String?
    let subject: String?
    let decision: String?
    let reason: String?
    let error: String?
    let recovery: String?
    let state: String?
    let from: String?
    let difference: [String]?
    let observers: Int?

    init(from decoder: any Decoder) throws {
        head = try LineHead(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        root = values.number(.root) ?? head.id
        message = values.text(.message)
        messageID = values.number(.messageID)
        messages = values.texts(.messages)
        source = values.text(.source)
        subject = values.text(.subject)
        decision = values.text(.decision)
        reason = values.text(.reason)
        error = values.text(.error)
        recovery = values.text(.recovery)
        state = values.text(head.kind == .changed ? .to : .state)
        from = values.text(.from)
        difference = values.texts(.difference)
        observers = values.number(.observers)
    }
}
