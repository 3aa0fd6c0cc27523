import Foundation
import FunctionalCore

@testable import InspectorKit

/// A folder for the files of a test, which is deleted with this object.
final class Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String, _ text: String) throws -> URL {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url
    }

    func trace(_ text: String) throws -> TraceFile { try TraceFile(file("trace.jsonl", text)) }
}

func append(_ text: String, to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
}

/// A line of a trace. `properties` is JSON without braces.
func line(_ id: Int, _ kind: String, _ properties: String = "", owner: Int = 1, cause: Int? = nil) -> String {
    let cause = cause.map { ",\"cause\":\($0)" } ?? ""
    let properties = properties.isEmpty ? "" : ",\(properties)"
    return """
        {"id":\(id),"kind":"\(kind)","owner":{"name":"Feed","number":\(owner)},"root":1,"thread":7,\
        "time":\(Double(id) / 10)\(cause)\(properties)}

        """
}

/// A line of a change. `from` and `to` are JSON, or empty for none.
func change(
    _ id: Int, _ path: String = "[]", from: String, to: String, owner: Int = 1, cause: Int? = nil
) -> String {
    line(id, "changed", "\"changes\":[\(changeJSON(path, from: from, to: to))]", owner: owner, cause: cause)
}

func changeJSON(_ path: String, from: String, to: String) -> String {
    let values = [("from", from), ("to", to)].filter { !$0.1.isEmpty }.map { ",\"\($0)\":\($1)" }
    return "{\"path\":\(path)\(values.joined())}"
}

func quoted(_ text: String) throws -> String { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }

/// What a page contains, read as the page reads it.
struct ReadPage {
    let html: String
    let meta: [String: Any]
    var rows: [[Any]] = []
    /// The states that are known, by the numbers of their events.
    var trees: [Int: ValueTree] = [:]
    /// The number of whole states.
    var wholeStates = 0

    init(_ data: Data) throws {
        html = String(decoding: data, as: UTF8.self)
        meta = try Self.json(Self.elements(of: html, "id=\"meta\"")[0]) as? [String: Any] ?? [:]
        var last: [Int: ValueTree] = [:]
        for (place, text) in Self.elements(of: html, "data-rows=\"\\d+\"").enumerated() {
            let chunk = try Self.json(text) as? [[Any]] ?? []
            rows += chunk
            let states = try Self.elements(of: html, "data-states=\"\(place)\"").first.map(Self.json) as? [[Any]] ?? []
            for (index, row) in chunk.enumerated() {
                let stated = states.first { $0[0] as? Int == index }?[1]
                guard let value = stated ?? (row.count > 10 ? row[10] : nil) else { continue }
                let owner = row[5] as! Int
                if let changes = value as? [[Any]] {
                    last[owner] = try Self.state(last[owner], after: changes)
                } else {
                    last[owner] = value is NSNull ? nil : try Self.decode(value)
                    if !(value is NSNull) { wholeStates += 1 }
                }
                trees[row[0] as! Int] = last[owner]
            }
        }
    }

    var states: [Int: String] { trees.mapValues(\.description) }
    var notes: [String] { meta["notes"] as? [String] ?? [] }
    var ids: [Int] { rows.map { $0[0] as! Int } }

    static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    /// The contents of the inert elements with an attribute.
    static func elements(of html: String, _ attribute: String) -> [String] {
        let pattern = try! Regex("<script type=\"application/json\" \(attribute)>([^<]*)</script>")
        return html.matches(of: pattern).map { String($0.output[1].substring!) }
    }

    private static func state(_ before: ValueTree?, after changes: [[Any]]) throws -> ValueTree? {
        try changes.reduce(before) { state, values in
            let keyed = zip(["path", "from", "to"], values).filter { !($0.1 is NSNull) }
            let change: ValueChange = try decode(Dictionary(uniqueKeysWithValues: keyed.map { ($0, $1) }))
            return state?.applying(change)
        }
    }

    private static func decode<Value: Decodable>(_ json: Any) throws -> Value {
        try JSONDecoder().decode(
            Value.self, from: JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed))
    }
}
