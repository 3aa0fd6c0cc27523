import Foundation

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

func quoted(_ text: String) throws -> String { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }

/// What a page contains, read as the page reads it.
struct ReadPage {
    let html: String
    let meta: [String: Any]
    var rows: [[Any]] = []
    /// The states, by the numbers of their events.
    var states: [Int: String] = [:]

    init(_ data: Data) throws {
        html = String(decoding: data, as: UTF8.self)
        meta = try Self.json(Self.elements(of: html, "id=\"meta\"")[0]) as? [String: Any] ?? [:]
        var last: [Int: String] = [:]
        for (place, text) in Self.elements(of: html, "data-rows=\"\\d+\"").enumerated() {
            let chunk = try Self.json(text) as? [[Any]] ?? []
            rows += chunk
            guard let states = Self.elements(of: html, "data-states=\"\(place)\"").first else { continue }
            for state in try Self.json(states) as? [[Any]] ?? [] {
                let row = chunk[state[0] as! Int]
                let owner = row[5] as! Int
                last[owner] = Self.state(state, after: last[owner])
                self.states[row[0] as! Int] = last[owner]
            }
        }
    }

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

    static func state(_ values: [Any], after before: String?) -> String {
        if let whole = values[1] as? String { return whole }
        let units = Array(before!.utf16)
        var (result, place): ([UInt16], Int) = ([], 0)
        for index in stride(from: 1, to: values.count, by: 3) {
            let kept = values[index] as! Int
            result += units[place..<(place + kept)]
            place += kept + (values[index + 1] as! Int)
            result += (values[index + 2] as! String).utf16
        }
        return String(decoding: result + units[place...], as: UTF16.self)
    }
}
