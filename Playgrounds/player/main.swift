import ExampleLoops
import Foundation
import Loop
import TerminalSupport
import TracingSupport

let program = Settings.program
let settings = program.orExit(try Settings(program.parseOrExit()))
let console = Console.standard
var complaints = Complaints(of: program.name)

let deck = Deck()
let (closing, close) = AsyncStream<Void>.makeStream()
let environment = PlayerEnvironment(
    closeApplication: { close.finish() },
    stopPlayback: { deck.stopPlayback() },
    fetchUsers: UserServer(url: settings.server).users)

var builder = Mobius.loop(update: playerUpdate, effectHandler: playerEffectHandler(environment))
// Without a terminal, the input advances the time.
if console.isInteractive { builder = builder.withEventSource(deck) }
if settings.isVerbose { builder = builder.withLogger(SimpleLogger(tag: program.name) { console.failure($0) }) }
if let trace = settings.trace?.trace { builder = builder.withTrace(trace) }

// On the main queue, like the view, so that `answered()` can wait for an input to be processed.
let controller = builder.makeController(from: PlayerModel(), initiate: playerInitiate, loopQueue: .main)
let view = PlayerView(console)
controller.connectView(view)

@MainActor
func finish(_ status: Int32) -> Never {
    if controller.running { controller.stop() }
    console.clearStatus()
    settings.trace?.finish(on: console)
    exit(status)
}
let interrupts = InterruptHandler { Task { @MainActor in finish(ExitStatus.interrupted) } }

if console.isInteractive { console.line(Command.list) }
controller.start()
await view.answered()

var farewell = PlayerEvent.inputEnded
inputs: for await input in console.inputs({ $0.keysOrLines() }) {
    if input.isEmpty || input == "return" { continue }
    do throws(Command.Mistake) {
        switch try Command(input, ids: settings.ids) {
        case .event(let event):
            guard controller.running else { throw .isOff }
            view.send(event)
        case .power:
            if controller.running {
                controller.stop()
                view.showOff()
            } else {
                controller.start()
            }
        case .help: console.line(Command.list)
        case .quit:
            farewell = .quit
            break inputs
        }
    } catch {
        complaints.add(error.reason)
    }
    await view.answered()
    view.redraw()
}

if controller.running {
    view.send(farewell)
    for await _ in closing {}
}
finish(complaints.status)
