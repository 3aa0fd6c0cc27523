import ArchitectureTesting
import Foundation
import FunctionalCore
import Testing

@Suite("Differences of values", .timeLimit(.minutes(10)))
struct ValueDiffTests {
    struct Everything {
        let bytes: [UInt8]
        let object = Object()
        let optional: Int? = 1
        let absent: String? = nil
        let tuple = (left: 1, 2)
        let payload = Choice.both(1, text: "▹")
        let none = Choice.none
        let dictionary = ["a": [1]]
        let set: Set = [2, 1]
        let range: any Sendable = UInt8(1)..<2
        let text = "a"

        enum Choice {
            case none
            case both(Int, text: String)
        }

        final class Object: Sendable {
            let number = 1
            let bytes: [UInt8] = [1]
        }
    }

    @Test("Bytes are one line of text, and everything else is dumped as by the standard library")
    func bytes() {
        var text = ""
        dump(Everything(bytes: []), to: &text)
        let expected = text.split(separator: "\n").map { line in
            line == "  - bytes: 0 elements" ? "  - bytes: Array<UInt8>(\"\".utf8)" : String(line)
        }
        let lines = LineDiff.dump(Everything(bytes: []))
        // The order of the elements of a set is not defined.
        #expect(lines.sorted() == expected.sorted())
        #expect(LineDiff.dump([1, 2]) == ["▿ 2 elements", "  - 1", "  - 2"])
    }

    @Test("Bytes that are no text are rows of hexadecimal numbers, and a text of several lines is dumped by lines")
    func rows() {
        #expect(LineDiff.dump(Data([0, 255])) == ["- Data([0x00, 0xff])"])
        #expect(LineDiff.dump([UInt8]("tab\t\"é\"".utf8)[...]) == [#"- ArraySlice<UInt8>("tab\t\"é\"".utf8)"#])
        #expect(
            LineDiff.dump((0, data: Data((0..<18).map { $0 }))) == [
                "▿ (2 elements)", "  - .0: 0", "  ▿ data: Data(18 bytes)",
                "    - 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f", "    - 10 11",
            ])
        let (old, new) = (Data("{\n  a: 1\n}".utf8), Data("{\n  a: 2\n}".utf8))
        #expect(
            LineDiff(from: old, to: new).lines == [
                "  ▿ Data(10 bytes)", #"    - "{""#, #"−   - "  a: 1""#, #"+   - "  a: 2""#, #"    - "}""#,
            ])
    }

    @Test("Values are compared by their dumps")
    func values() {
        struct Point {
            var x = 1
            var y = 2
        }
        #expect(
            LineDiff(from: Point(), to: Point(y: 3)).lines.joined(separator: "\n") == """
                  ▿ ArchitectureTestingTests.ValueDiffTests.Point
                    - x: 1
                −   - y: 2
                +   - y: 3
                """)
    }
}
