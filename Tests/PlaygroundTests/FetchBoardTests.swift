import ExamplePrograms
import Foundation
import FunctionalCore
import PlaygroundTestSupport
import ResourceLoading
import TerminalSupport
import Testing
import VirtualTime

/// The output of a board on a terminal, on virtual time.
@Suite(.timeLimit(.minutes(10))) struct FetchBoardTests {
    private let scheduler = VirtualScheduler()

    /// Returns the bytes that the board writes to a terminal while it shows one location during `body`.
    private func output(
        _ body: @escaping @Sendable (VirtualClock, Fetching) async throws -> Void
    ) throws -> String {
        let terminal = try TestTerminal()
        let board = FetchBoard(of: ["https://host/file"], for: "fetch", on: terminal.console)
        let clock = scheduler.clock
        try scheduler.run {
            let program = EnvIO<Fetching, any Error, Void> { fetching in try await body(clock, fetching) }
            let loader = ResourceLoader { _ in ResourceLoader.Events { $0.finish() } }
            _ = await board.shown(during: program, clock: clock)
                .outcome(Fetching(loader: loader) { board.take($0) })
        }
        return terminal.output()
    }

    @Test func `frequent events are drawn at most twenty times a second, and the last one always`() throws {
        let output = try output { clock, fetching in
            fetching.tell(.began(0))
            for bytes in 1...2_000 {
                try await clock.sleep(for: .milliseconds(1))
                fetching.tell(.progressed(0, LoadProgress(bytes: bytes, total: 2_000)))
            }
            // No event occurs here, so nothing is drawn.
            try await clock.sleep(for: .seconds(10))
        }
        let drawings = output.split(separator: "\u{1B}[K")
        #expect((40...42).contains(drawings.count))
        #expect(drawings.last?.contains("100 %  2.0 kB of 2.0 kB") == true)
    }

    @Test func `the status leaves room for the ^C of an interrupt`() throws {
        let output = try output { clock, fetching in
            fetching.tell(.began(0))
            fetching.tell(.stumbled(0, LoadError.unknownHost("xx" + String(repeating: " x", count: 50))))
            try await clock.sleep(for: .milliseconds(60))
        }
        #expect(Screen(output).lines.map(\.count) == [77])
        #expect(Screen(output + "^C\r\u{1B}[K").lines == [])
    }

    @Test func `an unfinished load reports its progress`() throws {
        let (output, error) = (Pipe(), Pipe())
        let console = Console(
            input: -1, output: output.fileHandleForWriting.fileDescriptor,
            error: error.fileHandleForWriting.fileDescriptor)
        let board = FetchBoard(of: ["a", "b", "c"], for: "fetch", on: console)
        board.take(.began(0))
        board.take(.progressed(0, LoadProgress(bytes: 1_500)))
        board.take(.ended(0, nil))
        board.take(.began(1))
        board.take(.stumbled(1, LoadError.unknownHost("host")))
        board.take(.ended(1, nil))
        board.tellUnfinished()
        try error.fileHandleForWriting.close()
        #expect(
            String(decoding: try #require(try error.fileHandleForReading.readToEnd()), as: UTF8.self) == """
                fetch: a: The load was stopped after 1.5 kB.
                fetch: b: The load was stopped while it waited for another try. \
                The last try failed: There is no host named host.
                fetch: c: The load did not start.

                """)
    }

    @Test func `the status of a load that waits for a retry shows the reason`() throws {
        let output = try output { clock, fetching in
            fetching.tell(.began(0))
            try await clock.sleep(for: .milliseconds(60))
            fetching.tell(.stumbled(0, LoadError.unknownHost("host")))
            try await clock.sleep(for: .milliseconds(60))
        }
        let drawings = output.split(separator: "\u{1B}[K")
        try #require(drawings.count == 2)
        #expect(drawings[0].hasSuffix("https://host/file 0 bytes so far"))
        #expect(drawings[1].hasSuffix("https://host/file waiting: There is no host named host."))
    }

    @Test func `progress longer than the terminal's width loses its beginning`() throws {
        let terminal = try TestTerminal()
        terminal.console.update(String(repeating: "x ", count: 50) + "*screen: loading: 28 bytes")
        let line = try #require(Screen(terminal.output()).lines.last)
        #expect(line.hasPrefix("…x x") && line.hasSuffix("x *screen: loading: 28 bytes"))
        #expect(line.count == 77)
    }
}
