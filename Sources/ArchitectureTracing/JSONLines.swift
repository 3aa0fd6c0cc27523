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
/// {"format":1,"id":2,"kind":"received","message":"load(5)","owner":{"name":"Component<Screen, Input>","number":1},"root":2,…}
/// ```
///
/// To write events while they happen, use ``JSONLinesFile``. The format is that of <https://jsonlines.org>.
public struct JSONLines: Sendable {
    /// The events, one for each line.
    public let records: [TraceRecord]

    /// The lines of the decoded data that were skipped, because they are not events. Empty if the lines were not
    /// decoded from data.
    public let skippedLines: [SkippedLine]

    /// A line that is not an event.
    public struct SkippedLine: Hashable, Sendable, CustomStringConvertible {
        /// The number of the line. The first line has the number 1.
        public let number: Int
        /// The reason, such as `is cut off` or `has the unknown kind "paused"`.
        ///
        /// A line is cut off if the process ends, or if no space is left, while the line is being written. A newer
        /// version of the library may write a kind that this version does not know.
        public let reason: String

        /// The number and the reason, as a sentence.
        public var description: String { "Line \(number) \(reason)." }
    }

    /// Creates the lines of the events of a trace.
    ///
    /// - Complexity: O(n) in the number of events, plus the cost of describing their values.
    public init(_ events: some Sequence<TraceEvent>) {
        var knownStates = KnownStates()
        records = events.map { TraceRecord($0, withState: knownStates.lacksState(of: $0)) }
        skippedLines = []
    }

    /// Decodes lines from the data of a file. Lines may end with a carriage return and a line feed. Empty lines are
    /// ignored.
    ///
    /// A line that is not the JSON object of an event is skipped; see ``skippedLines``.
    ///
    /// - Throws: `DecodingError` if no line is an event, unless the lines are empty, or the only other line is cut off.
    ///   The data then contains no trace.
    public init(decoding data: Data) throws {
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var (skipped, firstError): ([SkippedLine], (any Error)?) = ([], nil)
        records = lines.enumerated().compactMap { index, line in
            if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: " ") }) { return nil }
            var reason = "is not an event of a trace"
            do {
                let record = try decoder.decode(TraceRecord.self, from: line)
                guard let format = record.format, format > TraceRecord.currentFormat else { return record }
                reason = "has the newer format \(format)"
            } catch {
                let head = try? decoder.decode(Head.self, from: line)
                if let format = head?.format, format > TraceRecord.currentFormat {
                    reason = "has the newer format \(format)"
                } else if index == lines.count - 1 {
                    reason = "is cut off"
                } else {
                    firstError = firstError ?? error
                    if let kind = head?.kind, TraceRecord.Kind(rawValue: kind) == nil {
                        reason = "has the unknown kind \(kind.debugDescription)"
                    }
                }
            }
            skipped.append(SkippedLine(number: index + 1, reason: reason))
            return nil
        }
        skippedLines = skipped
        if records.isEmpty, let firstError {
            let description = "No line is an event of a trace. \(skipped[0])"
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: description, underlyingError: firstError))
        }
    }

    private struct Head: Decodable {
        let kind: String?
        let format: Int?
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
