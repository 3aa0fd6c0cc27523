import Effects
import ExampleStores
import Foundation
import MemoryServer
import TerminalSupport
import TracingSupport

let program = Settings.program
let console = Console.standard
let settings = program.orExit(try Settings(program.parseOrExit(), isInteractive: console.isInteractive))

let log = logEffect { console.failure("\(program.name): \($0)") }
let store = Store(
    reducer: postsReducer, initialState: PostsState(), effects: settings.isVerbose ? [log] : [],
    trace: settings.trace?.trace)
let memory = PostsMemory()
let api = settings.server.map { PostsServer(url: $0).api } ?? memory.api

/// The exit status of the first call of `finish`. The input may end, and call it again, while the first call waits.
var endStatus: Int32?

@MainActor
func finish(_ status: Int32) async -> Never {
    let status = endStatus ?? status
    endStatus = status
    store.stopRequests()
    await store.caughtUp()
    console.clearStatus()
    settings.trace?.finish(on: console)
    exit(status)
}
let interrupts = InterruptHandler { Task { @MainActor in await finish(ExitStatus.interrupted) } }

let commands = settings.server == nil ? "\(Command.list)\n\(Command.serverList)" : Command.list
if settings.server == nil {
    console.line("The server is in memory, with \(PostsMemory.examples.count) posts. To use a real one, pass its URL.")
}
if console.isInteractive { console.line(commands) }
PostsView(name: program.name, console: console).follow(store)
store.startRequests(to: api)

var isWaiting = true
inputs: for await line in console.inputs({ $0.lines() }) {
    defer { console.hint(selectPrompt(store.state)) }
    if line.isEmpty { continue }
    do throws(Command.Mistake) {
        switch try Command(line, isInMemory: settings.server == nil) {
        case .ask(let question): store.dispatch(action: question)
        case .server(let command): memory.conditions.perform(command)
        case .stop:
            store.stopRequests()
            store.startRequests(to: api)
        case .help: console.line(commands)
        case .quit:
            isWaiting = false
            break inputs
        }
    } catch {
        store.dispatch(action: Misunderstood(reason: error.reason))
    }
    if settings.isPatient { await store.settled() } else { await store.caughtUp() }
}

if isWaiting { await store.settled() }
await finish(store.state.hasFailed && !console.isInteractive ? ExitStatus.failure : ExitStatus.success)
