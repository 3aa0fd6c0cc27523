public import Foundation
public import Testing

/// A file in the Trace Event Format of Chrome, as a viewer reads it.
public struct ChromeFile {
    /// An event of the file.
    public struct Event {
        let fields: [String: Any]

        public var name: String { fields["name"] as? String ?? "" }
        public var phase: String { fields["ph"] as? String ?? "" }
        public var category: String? { fields["cat"] as? String }
        public var time: Double { (fields["ts"] as? NSNumber)?.doubleValue ?? -1 }
        public var process: Int { fields["pid"] as? Int ?? -1 }
        public var thread: Int { fields["tid"] as? Int ?? -1 }
        public var id: Int? { fields["id"] as? Int }
        public var arguments: [String: Any] { fields["args"] as? [String: Any] ?? [:] }

        /// The event in one line, without its arguments.
        public var summary: String {
            let place = "\(phase) \(name) \(process)/\(thread)"
            if phase == "M" { return "\(place) \(arguments["name"] ?? "")" }
            let rest = ["id", "s", "bp"].compactMap { key in fields[key].map { " \(key)=\($0)" } }
            return "\(place) at \(time)" + rest.joined()
        }

        fileprivate var place: [Int] { [process, thread] }
        fileprivate var identity: String { "\(category ?? "") \(id ?? -1)" }
    }

    public let events: [Event]

    /// Reads a JSON object with the events.
    public init(_ data: Data) throws {
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        try #require(object["displayTimeUnit"] as? String == "ms")
        events = try #require(object["traceEvents"] as? [[String: Any]]).map(Event.init)
    }

    /// Checks that each event has the fields that the format requires for its phase, and that the events fit each other.
    public func checkFormat(sourceLocation: SourceLocation = #_sourceLocation) {
        var time = 0.0
        var slices: [[Int]: [String]] = [:]
        var works: [String: Event] = [:]
        var arrows: [String: Event] = [:]
        var names: Set<[Int]> = []
        func check(_ condition: Bool, _ problem: String, _ event: Event) {
            #expect(condition, "\(problem): \(event.summary)", sourceLocation: sourceLocation)
        }
        for event in events {
            check(!event.name.isEmpty, "no name", event)
            check(event.process > 0 && (1...Int(Int32.max)).contains(event.thread), "no process or thread", event)
            check(event.time >= time, "the time goes back", event)
            time = event.time
            switch event.phase {
            case "M":
                check(event.arguments["name"] is String, "no name among the arguments", event)
                check(["process_name", "thread_name"].contains(event.name), "unknown metadata", event)
                names.insert(event.name == "process_name" ? [event.process] : event.place)
                continue
            case "B":
                slices[event.place, default: []].append(event.name)
            case "E":
                check(slices[event.place]?.popLast() == event.name, "the slice is not the innermost one", event)
            case "b":
                check(event.id != nil && works.updateValue(event, forKey: event.identity) == nil, "no new id", event)
            case "n":
                check(works[event.identity]?.process == event.process, "no work is open", event)
            case "e":
                let begin = works.removeValue(forKey: event.identity)
                check(begin?.process == event.process && begin?.name == event.name, "no work is open", event)
            case "i":
                check(["g", "p", "t"].contains(event.fields["s"] as? String), "no scope", event)
            case "s":
                check(event.id != nil && arrows.updateValue(event, forKey: event.identity) == nil, "no new id", event)
                check(slices[event.place]?.isEmpty == false, "no slice encloses the arrow", event)
            case "f":
                check(arrows.removeValue(forKey: event.identity)?.name == event.name, "no arrow is open", event)
                check(event.fields["bp"] as? String == "e", "no enclosing slice as binding point", event)
                check(slices[event.place]?.isEmpty == false, "no slice encloses the arrow", event)
            default:
                check(false, "unknown phase", event)
            }
            check(event.category?.isEmpty == false, "no category", event)
            check(names.isSuperset(of: [[event.process], event.place]), "no name of the process or thread", event)
        }
        #expect(arrows.isEmpty, "arrows without an end", sourceLocation: sourceLocation)
    }
}
