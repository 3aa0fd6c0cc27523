import ExampleLoops
import Foundation
import Loop
import MemoryServer
import TerminalSupport
import TracingSupport

let program = Settings.program
let settings = program.orExit(try Settings(program.parseOrExit()))
let console = Console.standard
var complaints = Complaints(of: program.name)

let deck = Deck()
let (closing, close) = AsyncStream<Void>.makeStream()
let memory = UserMemory()
let nameOfUser: @Sendable (_ id: String) async throws -> String =
    if let server = settings.server { UserServer(url: server).name } else { memory.name }
let environment = PlayerEnvironment(
    closeApplication: { close.finish() },
    stopPlayback: { deck.stopPlayback() },
    fetchUsers: { [nameOfUser] ids in try await UserList.fetched(ids, by: nameOfUser) })

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

let commands = settings.server == nil ? "\(Command.list)\n\(Command.serverList)" : Command.list
if settings.server == nil {
    let names = settings.ids.joined(separator: ", ")
    console.line("The server is in memory, with the users \(names). To use a real one, pass its URL.")
}
if console.isInteractive { console.line(commands) }
controller.start()
await view.answered()

var farewell = PlayerEvent.inputEnded
inputs: for await input in console.inputs({ $0.keysOrLines() }) {
    if input.isEmpty || input == "return" { continue }
    do throws(Command.Mistake) {
        switch try Command(input, ids: settings.ids, isInMemory: settings.server == nil) {
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
        case .server(let command): memory.conditions.perform(command)
        case .help: console.line(commands)
        case .quit:
            farewell = .quit
            break inputs
        }
        complaints.understood()
    } catch {
        complaints.addKey(error.reason)
    }
    await view.answered()
    view.redraw()
}

if controller.running {
    view.send(farewell)
    for await _ in closing {}
}
finish(complaints.status)
