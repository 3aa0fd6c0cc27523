import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite struct ConsoleTests {
    /// Feeds `bytes` to a console and answers its lines.
    func lines(of bytes: [UInt8]) throws -> [String] {
        let pipe = Pipe()
        let writer = Thread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try? pipe.fileHandleForWriting.close()
        }
        let console = Console(input: pipe.fileHandleForReading.fileDescriptor, output: -1, error: -1)
        let reader = console.keysOrLines()
        writer.start()
        var lines: [String] = []
        while let line = reader.next() { lines.append(line) }
        #expect(reader.next() == nil)
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("+\n+\n-\nq\n", ["+", "+", "-", "q"]), ("+\r\n-\r\n", ["+", "-"]),
            ("last without a break", ["last without a break"]), ("a\n\nb", ["a", "", "b"]),
            ("grüße\n🎲\n", ["grüße", "🎲"]),
        ] as [(String, [String])])
    func `lines from a pipe`(text: String, expected: [String]) throws {
        #expect(try lines(of: Array(text.utf8)) == expected)
    }

    @Test func `invalid UTF-8 and endless lines are survived`() throws {
        #expect(try lines(of: [0x61, 0xFF, 0x62, 0x0A, 0x63]) == ["a\u{FFFD}b", "c"])
        let long = try lines(of: Array(repeating: 0x78, count: 1_000_000) + Array("\nnext\n".utf8))
        #expect(long.map(\.count) == [65_536, 4])
    }

    @Test func `inputs can be awaited`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("a\nb\n".utf8))
        try pipe.fileHandleForWriting.close()
        let console = Console(input: pipe.fileHandleForReading.fileDescriptor, output: -1, error: -1)
        var lines: [String] = []
        for await line in console.inputs({ $0.lines() }) { lines.append(line) }
        #expect(lines == ["a", "b"])
        withExtendedLifetime(pipe) {}
    }

    @Test func `a pipe gets lines, and no status or hint`() throws {
        let output = Pipe()
        let error = Pipe()
        let console = Console(
            input: -1, output: output.fileHandleForWriting.fileDescriptor,
            error: error.fileHandleForWriting.fileDescriptor)
        #expect(!console.isInteractive)
        #expect(console.width == 80)
        console.hint("> ")
        console.status("half")
        console.line("1")
        console.clearStatus()
        // Each line has left the process when the call returns.
        #expect(output.fileHandleForReading.availableData == Data("1\n".utf8))
        console.line("2")
        console.failure("two\nlines")
        try output.fileHandleForWriting.close()
        #expect(try output.fileHandleForReading.readToEnd() == Data("2\n".utf8))
        #expect(error.fileHandleForReading.availableData == Data("two lines\n".utf8))
    }

    @Test(.promptly) func `a closed pipe ends the process quietly`() async {
        await #expect(processExitsWith: .exitCode(141)) {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let console = Console(input: -1, output: pipe.fileHandleForWriting.fileDescriptor, error: 2)
            console.line("nobody reads this")
        }
    }

    @Test(.promptly) func `keys come one by one, and the terminal is given back`() async {
        // In a process of its own, as standard input becomes a terminal.
        await #expect(processExitsWith: .success) {
            var (person, program): (Int32, Int32) = (0, 0)
            try #require(openpty(&person, &program, nil, nil, nil) == 0)
            dup2(program, STDIN_FILENO)
            func mode() -> tcflag_t {
                var attributes = termios()
                tcgetattr(STDIN_FILENO, &attributes)
                return attributes.c_lflag & tcflag_t(ICANON | ECHO)
            }
            let before = mode()
            do {
                let reader = Console(input: STDIN_FILENO, output: program, error: -1).keysOrLines()
                #expect(mode() == 0)
                let typed = Array("+q\u{1B}[A\u{1B}OB é\n\u{1B}\u{04}".utf8)
                #expect(write(person, typed, typed.count) == typed.count)
                var keys: [String] = []
                while let key = reader.next() { keys.append(key) }
                #expect(keys == ["+", "q", "up", "down", " ", "é", "return", "escape"])
            }
            #expect(mode() == before && before != 0)
        }
    }

    @Test(.promptly) func `a first interrupt calls, a second one ends the process`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            let called = DispatchSemaphore(value: 0)
            let interrupts = InterruptHandler { called.signal() }
            kill(getpid(), SIGINT)
            called.wait()
            kill(getpid(), SIGINT)
            called.wait()
            withExtendedLifetime(interrupts) {}
        }
    }

    @Test(.promptly) func `an interrupt after the handler has gone ends the process`() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let interrupts = InterruptHandler {}
            interrupts.cancel()
            // The usual meaning comes back soon, not at once.
            while true {
                kill(getpid(), SIGINT)
                await Task.yield()
            }
        }
    }

    @Test func `peak memory is known`() throws {
        #expect(try #require(PeakMemory.bytes) > 1_000_000)
    }
}
