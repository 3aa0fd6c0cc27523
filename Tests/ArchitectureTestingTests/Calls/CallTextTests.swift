import ArchitectureTesting
import Foundation
import FunctionalCore
import Testing

/// How arguments are shown in the texts of calls.
@Suite(.timeLimit(.minutes(10))) struct CallTextTests {
    struct Note: Equatable, Sendable {
        var id = 1
        var data = Data([1])
    }

    enum Kind: Equatable, Sendable {
        case plain
        case file(Data)
        case both(Int, name: String)
        case labeled(id: Int)
    }

    /// The call of a function, and the code that expects it.
    private func texts<Argument: Equatable & Sendable>(_ argument: Argument) -> [String] {
        let calls = Recorder()
        calls.record("write", argument)
        let remedy = Recorder.failure(leaving: calls.all)?.split(separator: "To fix, ").last.map(String.init)
        calls.expectCall("write", argument)
        return calls.all.map(\.description) + [remedy ?? ""]
    }

    @Test func `Bytes are shown as text or as hexadecimal numbers, by code that creates them`() {
        #expect(
            texts(Data("{\"id\":\"2\"}\n".utf8)) == [
                #"write(Data("{\"id\":\"2\"}\n".utf8))"#, #"expectCall("write", Data("{\"id\":\"2\"}\n".utf8))."#,
            ])
        #expect(
            texts([UInt8](arrayLiteral: 0xff, 0)) == [
                "write(Array<UInt8>([0xff, 0x00]))", #"expectCall("write", Array<UInt8>([0xff, 0x00]))."#,
            ])
        #expect(texts(Optional(Data())).last == #"expectCall("write", Data("".utf8))."#)
        // Code for many bytes would not be read.
        #expect(
            texts(Data(repeating: 0xff, count: 65)) == ["write(Data(65 bytes))", #"expectCall(named: "write")."#])
        #expect(texts(Data(repeating: 0x61, count: 65)).last?.contains("aaaa") == true)
        // The code above is Swift.
        #expect(Data("{\"id\":\"2\"}\n".utf8).count == 11)
        #expect([UInt8]([0xff, 0x00]).count == 2)
    }

    @Test func `Code that expects a call is Swift, or names only the function`() {
        let named = #"expectCall(named: "write")."#
        func code(_ argument: some Equatable & Sendable) -> String? { texts(argument).last }
        func expecting(_ code: String) -> String { #"expectCall("write", \#(code))."# }
        #expect(code(5) == expecting("5"))
        #expect(code(Int64(5)) == expecting("Int64(5)"))
        #expect(code(1.5) == expecting("1.5"))
        #expect(code(Float(1.5)) == expecting("Float(1.5)"))
        #expect(code(true) == expecting("true"))
        #expect(code(#"a "b""#) == expecting(#""a \"b\"""#))
        #expect(code(Duration.seconds(1)) == expecting("Duration.seconds(1)"))
        #expect(code(Optional("a")) == expecting(#"Optional("a")"#))
        #expect(code(Int?.none) == expecting("Optional<Int>.none"))
        #expect(code([1, 2]) == expecting("[1, 2]"))
        #expect(code([Int]()) == expecting("Array<Int>()"))
        #expect(code(Note()) == expecting("Note(id: 1, data: Data([0x01]))"))
        #expect(code(Kind.plain) == expecting("Kind.plain"))
        #expect(code(Kind.file(Data())) == expecting(#"Kind.file(Data("".utf8))"#))
        #expect(code(Kind.both(1, name: "a")) == expecting(#"Kind.both(1, name: "a")"#))
        #expect(code(Kind.labeled(id: 1)) == expecting("Kind.labeled(id: 1)"))
        #expect(code(Set([1])) == named)
        #expect(code(["a": 1]) == named)
        #expect(code(URL(filePath: "/a")) == named)
        #expect(code([Date(timeIntervalSince1970: 0)]) == named)
    }

    @Test func `Bytes that differ are compared as text`() {
        let calls = Recorder()
        calls.record("write", Data(#"{"id":"2","title":"A title that is longer than the others"}"#.utf8))
        let failure = calls.expect(
            ExpectedCall("write", Data(#"{"title":"A title that is longer than the others","id":"2"}"#.utf8))
        ).failure
        #expect(
            failure == #"""
                write was called with other arguments (− expected, + got)
                − - Data("{\"title\":\"A title that is longer than the others\",\"id\":\"2\"}".utf8)
                + - Data("{\"id\":\"2\",\"title\":\"A title that is longer than the others\"}".utf8)
                To fix, expectCall("write", Data("{\"id\":\"2\",\"title\":\"A title that is longer than the \#
                others\"}".utf8)), or correct the call.
                """#)
    }
}
