public import Foundation
public import FunctionalCore

/// The events of a trace as JSON lines: one JSON object on each line.
///
/// ```swift
/// try JSONLines(events.all).write(to: file)
/// ```
///
/// An object has the properties of ``TraceRecord`` that are not `nil`, in alphabetical order:
///
/// ```text
/// {"id":2,"kind":"received","message":"load(5)","owner":{"name":"Component<Screen, Input>","number":1},"root":2,…}
/// ```
///
/// To write events while they happen, use ``JSONLinesFile``. The format is that of <https://jsonlines.org>.
public struct JSONLines: Sendable {
    /// The events, one for each line.
    public let records: [TraceRecord]

    /// Creates the lines of the events of a trace.
    ///
    /// - Complexity: O(n) in the number of events, each of which is described.
    public init(_ events: some Sequence<TraceEvent>) {
        records = events.map(TraceRecord.init)
    }

    /// Reads lines that were written before. Empty lines are ignored.
    ///
    /// - Throws: `DecodingError` if a line is not a JSON object of an event. Its description contains the number of the
    ///   line.
    public init(decoding data: Data) throws {
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        records = try lines.enumerated().compactMap { index, line in
            if line.isEmpty { return nil }
            do {
                return try decoder.decode(TraceRecord.self, from: line)
            } catch {
                let description = "Line \(index + 1) is not an event of a trace."
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: [], debugDescription: description, underlyingError: error))
            }
        }
    }

    /// The lines in UTF-8. Each ends with a line feed.
    ///
    /// - Complexity: O(n) in the number of events.
    public var data: Data { records.reduce(into: Data()) { $0.append(Self.line($1)) } }

    /// The lines. Each ends with a line feed.
    ///
    /// - Complexity: O(n) in the number of events.
    public var text: String { String(decoding: data, as: UTF8.self) }

    /// Writes the lines to a file, and replaces what is in it.
    ///
    /// - Throws: The error of Foundation if the file cannot be written.
    public func write(to file: URL) throws {
        try data.write(to: file)
    }

    /// The line of an event.
    static func line(_ record: TraceRecord) -> Data { json(record) + [UInt8(ascii: "\n")] }
}

/// The JSON of a value that consists of texts and finite numbers, which every encoder can encode.
func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return try encoder.encode(value)
    } catch {
        programmerError("\(type(of: value)) cannot be encoded: \(error)")
    }
}
