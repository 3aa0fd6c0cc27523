import Dispatcher
import ExampleDispatchers
import Foundation
import ResourceLoading
import TerminalSupport
import TracingSupport

let program = Program(
    name: "dashboard", usage: "[--seed N] \(TraceFile.usage)",
    summary: """
        A stepper, dice and a loader in one dashboard. Reads one command per line, and
        prints a line for each change, with a star before each part that changed:

        \(Command.list)

        At the end of the input, the program waits for the load. Unknown input is
        reported and ignored. The exit status is then 1, except on a terminal.
        """,
    options: [.value("--seed", "N", "makes the rolls repeatable"), TraceFile.option, TraceFile.force])
let arguments = program.parseOrExit()
let seed = program.orExit(try program.number("--seed", in: arguments, as: UInt64.self))
let trace = program.orExit(try TraceFile(arguments, of: program))
let console = Console.standard
let interrupts = trace?.finishingOnInterrupt()
var complaints = Complaints(of: program.name)

let environment = DashboardEnvironment(randomness: seed.map(Randomness.seeded) ?? .system, loader: .live())
let component = Component(
    initialState: DashboardState(), environment: environment, trace: trace?.trace, dispatcher: dashboardDispatcher)
printStates(of: component, on: console)

/// Ends the program.
@MainActor
func finish() -> Never {
    console.clearStatus()
    trace?.finish()
    exit(complaints.status)
}

var load: SendTask?
for await line in console.inputs(prompt: "> ", { $0.lines() }) {
    if line.isEmpty { continue }
    do throws(Command.Mistake) {
        switch try Command(line) {
        case .increment: component.send(.stepper(.tapIncrement))
        case .decrement: component.send(.stepper(.tapDecrement))
        case .add: component.send(.addDie)
        case .roll(let id):
            guard component.state.dice.contains(where: { $0.id == id }) else { throw .noSuchDie(id) }
            component.send(.die(id: id, .roll(sides: 6)))
        case .load(let location):
            load?.cancel()
            load = component.send(.screen(.load(location: location)))
        case .stop:
            load?.cancel()
            component.send(.screen(.cancelled))
        case .help: console.line(Command.list)
        case .quit: finish()
        }
    } catch {
        complaints.add(error.reason)
    }
}

await load?.finish()
finish()
