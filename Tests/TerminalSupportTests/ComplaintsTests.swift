import Foundation
import TerminalSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ComplaintsTests {
    @Test func `a complaint is one line, and the status is a failure without a terminal`() {
        let error = Pipe()
        let console = Console(input: -1, output: -1, error: error.fileHandleForWriting.fileDescriptor)
        var complaints = Complaints(of: "program", console: console)
        #expect(complaints.status == ExitStatus.success)
        complaints.add("no\nsuch thing")
        #expect(error.fileHandleForReading.availableData == Data("program: no such thing\n".utf8))
        #expect(complaints.status == ExitStatus.failure)
    }

    @Test func `keys in a row are one mistake on a terminal, and separate lines are not`() throws {
        var (person, program): (Int32, Int32) = (0, 0)
        try #require(openpty(&person, &program, nil, nil, nil) == 0)
        for isTerminal in [true, false] {
            let error = Pipe()
            let descriptor = isTerminal ? program : -1
            let console = Console(
                input: descriptor, output: descriptor, error: error.fileHandleForWriting.fileDescriptor)
            var complaints = Complaints(of: "program", console: console)
            for key in "foo" { complaints.addKey("\(key)") }
            complaints.understood()
            complaints.addKey("x")
            let lines = (isTerminal ? "fx" : "foox").map { "program: \($0)\n" }.joined()
            #expect(error.fileHandleForReading.availableData == Data(lines.utf8))
        }
        close(person)
        close(program)
    }

    @Test(arguments: [
        ("x", #""x""#), ("", #""""#), ("\u{1B}[2J\r\n", #""\u{1B}[2J\r\n""#), (#"a"b"#, #""a\"b""#),
        ("grüße", #""grüße""#),
        (String(repeating: "y", count: 40), "\"\(String(repeating: "y", count: 40))\""),
        (String(repeating: "y", count: 41), "\"\(String(repeating: "y", count: 40))…\""),
    ])
    func `input is quoted so that a terminal does not interpret it`(text: String, quoted: String) {
        #expect(text.quoted == quoted)
    }
}
