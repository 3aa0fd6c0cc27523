import Dispatcher
import ExamplePrograms
import Foundation
import FunctionalCore
import ResourceLoading
import TerminalSupport
import TracingSupport

PeakMemory.reportAtExitIfAsked()
let program = Program(
    name: "fetch-many", usage: "[OPTIONS] LOCATION…",
    summary: """
        Loads paths and URLs, several at once, and prints the size and the type of each.
        Retries a load that fails for a temporary reason, with increasing delays. Ctrl-C
        cancels all loads.

        The exit status is 0, 1 if a location was not loaded, or 130 after Ctrl-C.
        """,
    options: [
        .value("--at-once", "N", "the maximum number of loads at once (4)"),
        .value("--retries", "N", "the maximum number of retries of each load (3)"),
        .value("--backoff", "MS", "the first delay in milliseconds, doubled for each retry up to 10000 (200)"),
        .value("--timeout", "MS", "the time limit of one try, in milliseconds (30000)"),
        .value("--total", "MS", "the time limit of all loads, in milliseconds (300000)"),
        TraceFile.option, TraceFile.force,
    ],
    operands: 1...Int.max)
let arguments = program.parseOrExit()
let plan = program.orExit(try FetchPlan(arguments))
let trace = program.orExit(try TraceFile(arguments, of: program))

let locations = arguments.operands
let board = FetchBoard(of: locations, for: program.name)
let loaded = Component(
    initialState: 0, environment: (), trace: trace?.trace,
    dispatcher: StateDispatcher<Void, Int, FetchEvent>.pure { event in
        if case .ended(_, .success?) = event { .update { $0 += 1 } } else { .pure(()) }
    })
// One event at a time, so that the count is current when the loads have ended.
let lock = NSLock()
let fetching = Fetching(loader: .live()) { [board, loaded, lock] event in
    lock.withLock {
        board.take(event)
        loaded.send(event)
    }
}

// Interrupts are caught before the loads begin. An earlier interrupt would end the process without a message.
let interrupted = Deferred<Void>()
let interrupts = InterruptHandler { interrupted.complete(()) }
let interruption = EnvIO<Fetching, any Error, Void>.value(of: interrupted)
let outcome = await board.shown(during: fetchMany(locations, plan))
    .race(interruption.followed(by: .cancelled))
    .outcome(fetching)
interrupts.cancel()
trace?.finish()

let console = Console.standard
console.clearStatus()
let summary = "loaded \(loaded.state) of \(locations.count)"
switch outcome {
case .value:
    console.line(summary)
    exit(loaded.state == locations.count ? ExitStatus.success : ExitStatus.failure)
case .failure:
    board.tellUnfinished()
    console.line(summary)
    console.exit("\(program.name): the loads took longer than \(plan.total); --total raises the limit")
case .cancelled:
    board.tellUnfinished()
    console.line(summary)
    console.exit("\(program.name): interrupted", status: ExitStatus.interrupted)
}

extension FetchPlan {
    /// Creates the plan from the command line.
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
