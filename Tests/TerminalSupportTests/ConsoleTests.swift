import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConsoleTests {
    /// Returns the lines that a console reads from `bytes`.
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
        withExtendedLifetime(pipe) {}
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("\n", [""]), ("+\n+\n-\nq\n", ["+", "+", "-", "q"]), ("+\r\n-\r\n", ["+", "-"]),
            ("last without a break", ["last without a break"]), ("a\n\nb", ["a", "", "b"]),
            ("grüße\n🎲\n", ["grüße", "🎲"]),
        ] as [(String, [String])])
    func `the lines of a pipe are read`(text: String, expected: [String]) throws {
        #expect(try lines(of: Array(text.utf8)) == expected)
    }

    @Test func `invalid UTF-8 is replaced, and endless lines are cut`() throws {
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

    @Test func `a pipe receives lines, but no status or hint`() throws {
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
        // Each line is written when the call returns.
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

    #if os(Linux)
        @Test(.promptly) func `output that cannot be written ends the process with the reason`() async throws {
            let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
                let full = open("/dev/full", O_WRONLY)
                Console(input: -1, output: full, error: 2).line("There is no room for this.")
            }
            let error = try #require(result).standardErrorText
            #expect(error == "The output cannot be written: No space left on device\n")
        }

        @Test(.promptly) func `the process ends even if the reason cannot be written`() async {
            await #expect(processExitsWith: .exitCode(1)) {
                let full = open("/dev/full", O_WRONLY)
                Console(input: -1, output: full, error: full).line("There is no room for this.")
            }
        }
    #endif

    @Test func `control characters are replaced in the output`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let console = Console(input: -1, output: descriptor, error: descriptor)
        console.line("\u{1B}[31mred\u{7}\ttab\r\n\u{202E}second 👩‍👧")
        console.failure("\u{1B}]0;title")
        try pipe.fileHandleForWriting.close()
        #expect(
            String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
                == "\u{FFFD}[31mred\u{FFFD}\ttab\n\u{FFFD}second 👩‍👧\n\u{FFFD}]0;title\n")
    }

    @Test(.promptly) func `keys are read one by one, and the terminal mode is restored`() async {
        // In a process of its own, because the test replaces standard input.
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

    @Test(.promptly) func `a character that arrives in two pieces is one key`() async {
        await #expect(processExitsWith: .success) {
            var (person, program): (Int32, Int32) = (0, 0)
            try #require(openpty(&person, &program, nil, nil, nil) == 0)
            dup2(program, STDIN_FILENO)
            let reader = Console(input: STDIN_FILENO, output: program, error: -1).keysOrLines()
            // The reader reads 256 bytes at a time, which include one to three of the four bytes of 🎲.
            for inside in 1...3 {
                let typed = Array((String(repeating: "x", count: 256 - inside) + "🎲").utf8)
                #expect(write(person, typed, typed.count) == typed.count)
                let keys = (0...256 - inside).map { _ in reader.next() }
                #expect(keys.suffix(2) == ["x", "🎲"])
            }
        }
    }

    @Test(.promptly) func `a first interrupt calls the handler, a second one ends the process`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            interruptTwice()
        }
    }

    @Test(.promptly, .timeLimit(.minutes(10)))
    func `interrupts are handled even if all threads of Dispatch are busy`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            let never = DispatchSemaphore(value: 0)
            for _ in 0..<1_000 { DispatchQueue(label: "busy").async { never.wait() } }
            interruptTwice()
        }
    }

    @Test(.promptly) func `a cancelled handler does not affect the next one`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let second: InterruptHandler
            do {
                let first = InterruptHandler {}
                first.cancel()
                second = InterruptHandler { _exit(7) }
                withExtendedLifetime(first) {}
            }
            kill(getpid(), SIGINT)
            DispatchSemaphore(value: 0).wait()
            withExtendedLifetime(second) {}
        }
    }

    @Test(.promptly) func `an interrupt after the handler is cancelled ends the process`() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let interrupts = InterruptHandler {}
            interrupts.cancel()
            // Another thread handles the signal, possibly later.
            while true {
                kill(getpid(), SIGINT)
                await Task.yield()
            }
        }
    }

    @Test func `the peak memory is available`() throws {
        #expect(try #require(PeakMemory.bytes) > 1_000_000)
    }
}

/// Interrupts this process, and interrupts it again after the handler has been called.
private func interruptTwice() {
    let called = DispatchSemaphore(value: 0)
    let interrupts = InterruptHandler { called.signal() }
    kill(getpid(), SIGINT)
    called.wait()
    kill(getpid(), SIGINT)
    called.wait()
    withExtendedLifetime(interrupts) {}
}
