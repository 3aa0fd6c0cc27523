import Dispatcher
import ExampleDispatchers
import Foundation
import TerminalSupport
import TracingSupport

let program = Program(
    name: "stepper", usage: TraceFile.usage,
    summary: """
        Counts: + adds one, - subtracts one, q quits. Reads keys on a terminal and lines
        otherwise. Prints the initial count, and then the count after each input.

        Unknown input is reported and ignored. The exit status is then 1, except on a
        terminal.
        """,
    options: [TraceFile.option, TraceFile.force])
let trace = program.orExit(try TraceFile(program.parseOrExit(), of: program))

let console = Console.standard
let interrupts = trace?.finishingOnInterrupt()
let keys = console.keysOrLines()
var complaints = Complaints(of: program.name)

let component = Component(initialState: 0, environment: (), trace: trace?.trace, dispatcher: stepperDispatcher)
component.observe { count in console.line("\(count)") }

loop: while let key = keys.next(hint: "+ one more   - one less   q quit", on: console) {
    switch key {
    case "+": component.send(.tapIncrement)
    case "-": component.send(.tapDecrement)
    case "q": break loop
    case "", "return": continue
    default:
        complaints.addKey("unknown input \(key.quoted); + counts up, - counts down, q quits")
        continue
    }
    complaints.understood()
}
console.clearStatus()
trace?.finish()
exit(complaints.status)
