import Dispatcher
import ExampleDispatchers
import Foundation
import ResourceLoading
import TerminalSupport
import TracingSupport

PeakMemory.reportAtExitIfAsked()
let program = Program(
    name: "screen-loader", usage: "\(TraceFile.usage) LOCATION",
    summary: """
        Loads a path, a file: URL or an http(s) URL. Shows the progress, and then the size,
        the type and the first lines. Ctrl-C cancels the load. The load fails if a server
        does not begin to answer within 30 seconds, or if a resource that does not state its
        size is larger than 1.0 GB.

        The exit status is 0, 1 if the load failed, or 130 if it was cancelled.
        """,
    options: [TraceFile.option, TraceFile.force],
    operands: 1...1)
let arguments = program.parseOrExit()
let trace = program.orExit(try TraceFile(arguments, of: program))
let location = arguments.operands[0]

let component = Component(
    initialState: .empty, environment: ResourceLoader.live(), trace: trace?.trace, dispatcher: screenDispatcher)

// The first state precedes the load.
let screens = component.states().dropFirst()
let load = component.send(.load(location: location))
let interrupts = InterruptHandler { [load, component] in
    load.cancel()
    component.send(.cancelled)
}

for await screen in screens { await show(screen) }

/// Shows a state of the screen, and ends the program when the load has ended, so that the trace contains its end.
func show(_ screen: ScreenState) async {
    let console = Console.standard
    switch screen {
    case .loading(let progress?) where console.isOutputTerminal:
        console.status(ProgressBar.line(done: progress.bytes, total: progress.total, width: console.statusWidth))
    case .loading where console.isOutputTerminal:
        console.status("\(screen)")
    case .empty, .loading:
        console.line("\(screen)")
    case .loaded(let summary):
        console.line("\(screen)")
        for line in "\(summary.preview)".split(separator: "\n", omittingEmptySubsequences: false) {
            console.line(line.isEmpty ? "" : "  \(line)")
        }
        await load.waitUntilFinished()
        trace?.finish()
        exit(ExitStatus.success)
    case .failed(let reason):
        await load.waitUntilFinished()
        trace?.finish()
        console.exit("\(program.name): \(reason)")
    case .cancelled:
        trace?.finish()
        console.exit("\(program.name): \(screen)", status: ExitStatus.interrupted)
    }
}
