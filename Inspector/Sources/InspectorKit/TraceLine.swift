import ArchitectureTracing
import Foundation
import FunctionalCore

/// A reason to skip a line of a trace.
struct Skip: Error, Hashable {
    let reason: String

    static let notUTF8 = Skip(reason: "is not UTF-8")
    static let notJSON = Skip(reason: "is not JSON")
    static let cutOff = Skip(reason: "is cut off")
    static let notAnObject = Skip(reason: "is not a JSON object")
    static let tooLong = Skip(reason: "is longer than 256 MB")
    static let noNumber = Skip(reason: "has no valid number")
    static let noKind = Skip(reason: "has no kind")
    static let noTime = Skip(reason: "has no valid time")
    static let noOwner = Skip(reason: "has no valid owner")
    static let repeated = Skip(reason: "repeats the number of an earlier event")
    static let late = Skip(reason: "arrived after events with higher numbers")

    /// Formats that no program will write for long have one reason, because each reason is listed.
    static func newFormat(_ format: Int) -> Skip {
        Skip(reason: format < 100 ? "has the newer format \(format)" : "has a newer format")
    }
}

/// The keys of a line: the properties of `TraceRecord`.
private enum Key: String, CodingKey {
    case format, id, cause, root, time, thread, owner, kind, message, messageID, messages, source, subject, decision
    case reason, workID, error, recovery, state, changes, observers, missingEvents
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
    /// Whether the line has a state of its owner, or changes of it.
    let hasState: Bool

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let format = values.number(.format), format > TraceRecord.currentFormat { throw Skip.newFormat(format) }
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
        hasState = values.contains(.state) || kind == .changed && values.contains(.changes)
    }
}

extension CodingUserInfoKey {
    /// A decoder with a value for this key decodes lines without states and changes.
    static let omitsStates = CodingUserInfoKey(rawValue: "omitsStates")!
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
    /// The state of an owner that was created, or that after a change.
    private(set) var state: ValueTree?
    private(set) var changes: [ValueChange]?
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
        observers = values.number(.observers)
        guard head.hasState, decoder.userInfo[.omitsStates] == nil else { return }
        state = try? values.decodeIfPresent(ValueTree.self, forKey: .state)
        if head.kind == .changed { changes = try? values.decodeIfPresent([ValueChange].self, forKey: .changes) }
    }
}
