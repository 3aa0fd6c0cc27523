import Foundation
import PropertyTesting
import TerminalSupport
import TestSupport
import Testing

/// Long lines on a terminal.
@Suite(.timeLimit(.minutes(10))) struct FoldingTests {
    @Test(arguments: [
        ("", 5, [""]), ("ab cd", 5, ["ab cd"]), ("ab cde", 5, ["ab", "cde"]), ("  ab cde", 6, ["  ab", "  cde"]),
        ("abcdefg hi", 5, ["abcdefg", "hi"]), ("a   bcd", 5, ["a", "  bcd"]), ("ab cd   ", 5, ["ab cd"]),
        // A table has two spaces in a row. The second column is in the left half, or it is not.
        ("q  quits at once", 10, ["q  quits", "   at once"]), ("latency  of all", 12, ["latency  of", "  all"]),
    ])
    func `a line is folded between words`(line: String, width: Int, pieces: [String]) {
        #expect(line.folded(to: width) == pieces)
    }

    @Test func `folding breaks no word, and fits the width`() async {
        let word = Gen.int(in: 1...60).map { String(repeating: "x", count: $0) }
        let line = Gen.zip(word.array(0...30), Gen.int(in: 1...3)).map { words, gap in
            words.joined(separator: String(repeating: " ", count: gap))
        }
        await forAll(line, Gen.int(in: 40...200)) { line, width in
            let pieces = line.folded(to: width)
            let words = { (text: String) in text.split(separator: " ") }
            #expect(pieces.flatMap(words) == words(line))
            for piece in pieces where piece.count > width { #expect(words(piece).count == 1) }
        }
    }

    @Test(arguments: [40, 80, 200]) func `a terminal shows no broken word`(columns: Int) throws {
        var (person, program): (Int32, Int32) = (0, 0)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&person, &program, nil, nil, &size) == 0)
        defer {
            close(person)
            close(program)
        }
        let console = Console(input: program, output: program, error: program)
        let text = (1...60).map { "word\($0)" }.joined(separator: " ")
        console.line(text)
        console.failure(text)
        console.status(text)
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        // The status ends with an ellipsis and the sequence that erases the rest of the line.
        while !String(decoding: bytes, as: UTF8.self).hasSuffix("…\u{1B}[K") {
            let count = read(person, &buffer, buffer.count)
            try #require(count > 0)
            bytes += buffer[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split { $0.isNewline || $0 == "\r" }
            .map { $0.replacing("\u{1B}[K", with: "") }
        #expect(lines.allSatisfy { $0.count <= columns })
        let words = Set(text.split(separator: " "))
        for word in lines.flatMap({ $0.split(separator: " ") }) {
            #expect(words.contains(word) || words.contains(word.dropLast()) && word.hasSuffix("…"))
        }
    }
}
