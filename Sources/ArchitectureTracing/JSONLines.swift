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

    /// The number of bytes at the end of the decoded data that were skipped, because the last line was cut off. 0 if
    /// the lines were not decoded from data.
    ///
    /// A line is cut off if the process ends, or if no space is left, while the line is being written.
    public let skippedByteCount: Int

    /// Creates the lines of the events of a trace.
    ///
    /// - Complexity: O(n) in the number of events, plus the cost of describing their values.
    public init(_ events: some Sequence<TraceEvent>) {
        records = events.map(TraceRecord.init)
        skippedByteCount = 0
    }

    /// Decodes lines from the data of a file. Empty lines are ignored.
    ///
    /// If the last line has no line feed at its end and is not a JSON object of an event, it is skipped; see
    /// ``skippedByteCount``.
    ///
    /// - Throws: `DecodingError` if another line is not a JSON object of an event. Its description contains the number
    ///   of the line.
    public init(decoding data: Data) throws {
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var skippedByteCount = 0
        records = try lines.enumerated().compactMap { index, line in
            if line.isEmpty { return nil }
            do {
                return try decoder.decode(TraceRecord.self, from: line)
            } catch {
                if index == lines.count - 1 {
                    skippedByteCount = line.count
                    return nil
                }
                let description = "Line \(index + 1) is not an event of a trace."
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: [], debugDescription: description, underlyingError: error))
            }
        }
        self.skippedByteCount = skippedByteCount
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

    /// Returns the line of an event in UTF-8, with a line feed at its end.
    static func line(_ record: TraceRecord) -> Data { json(record) + [UInt8(ascii: "\n")] }
}

/// Returns the JSON of a value. The value must consist of texts and finite numbers. Traps if it cannot be encoded.
func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return try encoder.encode(value)
    } catch {
        programmerError("\(type(of: value)) cannot be encoded: \(error)")
    }
}
