import Foundation

/// Reads the lines of a file, also of one that grows.
///
/// Not thread-safe.
final class LineReader {
    struct Line {
        let data: Data
        /// The number of the line, from 1.
        let number: Int
        /// The place of the line in the file, in bytes.
        let offset: Int
        /// Whether the line ends with a line feed.
        let isComplete: Bool
        /// Whether the line was longer than `maximumLength`. Its data is then empty.
        let isTooLong: Bool
    }

    private let url: URL
    private let handle: FileHandle
    private let maximumLength: Int
    /// The first bytes of the file, at most 4,096 of those that were read.
    private var beginning = Data()
    /// The place up to which bytes were read.
    private var end = 0
    private var number = 0
    /// The beginning of a line whose end was not read yet.
    private var rest = Data()
    /// The number of bytes of that line that were discarded.
    private var discarded = 0

    /// Opens a file. Throws an `InspectorError` if it cannot be read or is not a regular file.
    init(_ url: URL, maximumLength: Int = 256_000_000) throws {
        self.url = url
        self.maximumLength = maximumLength
        let path = url.path(percentEncoded: false)
        // Without `O_NONBLOCK`, opening a pipe without a writer would wait for one.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InspectorError("\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw InspectorError(
                "\(path) cannot be read: it is not a regular file. Write the trace to a file first.")
        }
    }

    /// Whether the file was emptied or replaced since it was opened, because its program has begun again. It may have
    /// become longer since then, but the time of its first event is another one.
    func hasBegunAgain() throws -> Bool {
        var (opened, named) = (stat(), stat())
        let isReplaced =
            fstat(handle.fileDescriptor, &opened) == 0 && stat(url.path(percentEncoded: false), &named) == 0
            && (opened.st_dev, opened.st_ino) != (named.st_dev, named.st_ino)
        return try isReplaced || data(at: 0, count: beginning.count) != beginning || handle.seekToEnd() < UInt64(end)
    }

    /// Passes each line that was added since the last call to `body`. Passes the part of the file that was read, from 0
    /// to 1, to `progress`.
    func readLines(progress: (Double) -> Void = { _ in }, _ body: (Line) throws -> Void) throws {
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: UInt64(end))
        while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty {
            beginning += block.prefix(4_096 - beginning.count)
            var first = block.startIndex
            while let lineFeed = Self.lineFeed(in: block, from: first) {
                try finish(block[first..<lineFeed], at: end + (first - block.startIndex), isComplete: true, body)
                first = lineFeed + 1
            }
            keep(block[first...])
            end += block.count
            progress(min(1, Double(end) / Double(size)))
        }
    }

    /// Returns the place of the next line feed. Searches the bytes, because a `Data` checks each access to one.
    private static func lineFeed(in block: Data, from first: Int) -> Int? {
        block.withUnsafeBytes { bytes in
            bytes[(first - block.startIndex)...].firstIndex(of: 0x0A).map { block.startIndex + $0 }
        }
    }

    /// Passes the last line to `body` if it has no line feed at its end.
    func readRest(_ body: (Line) throws -> Void) throws {
        if !rest.isEmpty || discarded > 0 { try finish(Data(), at: end, isComplete: false, body) }
    }

    /// Returns the bytes of a line.
    func data(at offset: Int, count: Int) throws -> Data {
        try handle.seek(toOffset: UInt64(offset))
        return try handle.read(upToCount: count) ?? Data()
    }

    private func keep(_ data: Data) {
        if discarded > 0 || rest.count + data.count > maximumLength {
            discarded += rest.count + data.count
            rest = Data()
        } else {
            rest.append(data)
        }
    }

    private func finish(_ last: Data, at offset: Int, isComplete: Bool, _ body: (Line) throws -> Void) throws {
        let offset = offset - rest.count - discarded
        let line: Data
        if rest.isEmpty && discarded == 0 && last.count <= maximumLength {
            line = last
        } else {
            keep(last)
            line = rest
        }
        number += 1
        let isTooLong = discarded > 0 || line.count > maximumLength
        (rest, discarded) = (Data(), 0)
        try body(
            Line(
                data: isTooLong ? Data() : line, number: number, offset: offset, isComplete: isComplete,
                isTooLong: isTooLong)
        )
    }
}
