import Dispatcher
import ExampleDispatchers
import Foundation
import TerminalSupport
import TracingSupport

let program = Settings.program
let settings = program.orExit(try Settings(program.parseOrExit()))
let console = Console.standard
let interrupts = settings.trace?.finishingOnInterrupt()

let component = Component(
    initialState: Die(), environment: settings.randomness, trace: settings.trace?.trace, dispatcher: dieDispatcher)
component.observe { die in console.line(die.number.map { "\($0)" } ?? "not rolled yet") }

if let rolls = settings.rolls {
    for _ in 0..<rolls { component.send(.roll(sides: settings.sides)) }
    settings.trace?.finish()
    exit(ExitStatus.success)
}

let keys = console.keysOrLines()
var complaints = Complaints(of: program.name)

loop: while let key = keys.next(hint: "return roll   q quit", on: console) {
    switch key {
    case "r", "return", "":
        component.send(.roll(sides: settings.sides))
        complaints.understood()
    case "q": break loop
    default: complaints.addKey("unknown input \(key.quoted); r or return rolls, q quits")
    }
}
console.clearStatus()
settings.trace?.finish()
exit(complaints.status)
