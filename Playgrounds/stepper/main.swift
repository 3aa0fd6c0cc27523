import Dispatcher
import ExampleDispatchers
import Foundation
import TerminalSupport

let program = Program(
    name: "stepper", usage: "[--help]",
    summary: """
        Counts: + is one more, - is one less, q quits. On a terminal these are keys,
        elsewhere lines. Prints the count it starts from, and then one for each input.

        Other input is reported and ignored; away from a terminal, the exit status is 1
        then.
        """)
_ = program.parseOrExit()

let console = Console.standard
let keys = console.keysOrLines()
var complaints = Complaints(of: program.name)

let component = Component(initialState: 0, environment: (), dispatcher: stepperDispatcher)
component.observe { count in console.line("\(count)") }

loop: while let key = keys.next(hint: "+ one more   - one less   q quit", on: console) {
    switch key {
    case "+": component.send(.tapIncrement)
    case "-": component.send(.tapDecrement)
    case "q": break loop
    case "", "return": continue
    default: complaints.add("unknown input \(key.quoted); + counts up, - counts down, q quits")
    }
}
console.clearStatus()
exit(complaints.status)
