import ExamplePrograms
import Foundation
import FunctionalCore
import ResourceLoading
import TerminalSupport

PeakMemory.reportAtExitIfAsked()
let program = Program(
    name: "fetch-many", usage: "[OPTIONS] LOCATION…",
    summary: """
        Loads paths and URLs, several at once, and says what each of them was. What fails
        for a reason that may pass is tried again, after longer and longer waits. Ctrl-C
        ends all of it.

        The exit status is 0, or 1 when something could not be loaded, or 130 when it was
        interrupted.
        """,
    options: [
        .value("--at-once", "N", "so many loads at once (4)"),
        .value("--retries", "N", "so many more tries for each (3)"),
        .value("--backoff", "MS", "milliseconds before the second try, doubled for each further one up to 10000 (200)"),
        .value("--timeout", "MS", "milliseconds for one try (30000)"),
        .value("--total", "MS", "milliseconds for all of it (300000)"),
    ],
    operands: 1...Int.max)
let arguments = program.parseOrExit()
let plan = program.orExit(try FetchPlan(arguments))

let locations = arguments.operands
let board = FetchBoard(of: locations, for: program.name)
let fetching = Fetching(loader: .live()) { [board] event in board.take(event) }

// Interrupts are caught before anything begins: one that came too early would end the process without a word.
let interrupted = Deferred<Void>()
let interrupts = InterruptHandler { interrupted.complete(()) }
let interruption = EnvIO<Fetching, any Error, Void>.value(of: interrupted)
let outcome = await board.shown(during: fetchMany(locations, plan))
    .race(interruption.followed(by: .cancelled))
    .outcome(fetching)
interrupts.cancel()

let console = Console.standard
console.clearStatus()
let summary = "loaded \(board.loadedCount) of \(locations.count)"
switch outcome {
case .value:
    console.line(summary)
    exit(board.loadedCount == locations.count ? ExitStatus.success : ExitStatus.failure)
case .failure:
    board.tellUnfinished()
    console.line(summary)
    console.exit("\(program.name): not all was loaded within \(plan.total)")
case .cancelled:
    board.tellUnfinished()
    console.line(summary)
    console.exit("\(program.name): interrupted", status: ExitStatus.interrupted)
}

extension FetchPlan {
    /// What the command line says.
    init(_ arguments: Arguments) throws(UsageError) {
        self.init()
        atOnce = try Self.number("--at-once", from: 1, in: arguments) ?? atOnce
        retries = try Self.number("--retries", from: 0, in: arguments) ?? retries
        backoff = try Self.time("--backoff", from: 0, in: arguments) ?? backoff
        timeout = try Self.time("--timeout", from: 1, in: arguments) ?? timeout
        total = try Self.time("--total", from: 1, in: arguments) ?? total
    }

    private static func time(
        _ option: String, from least: Int32, in arguments: Arguments
    ) throws(UsageError) -> Duration? {
        try number(option, of: "milliseconds", from: least, in: arguments).map { .milliseconds($0) }
    }

    private static func number(
        _ option: String, of unit: String? = nil, from least: Int32, in arguments: Arguments
    ) throws(UsageError) -> Int? {
        try program.number(option, of: unit, within: least...Int32.max, in: arguments).map(Int.init)
    }
}
