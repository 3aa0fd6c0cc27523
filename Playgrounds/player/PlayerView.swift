import Dispatch
import ExampleLoops
import Loop
import TerminalSupport

/// A view of the player: on a terminal one line that is redrawn, otherwise a line for each change.
@MainActor
final class PlayerView: @MainActor Connectable {
    private let console: Console
    private var consumer: Consumer<PlayerEvent>?
    private var shown: (users: PlayerModel.Users?, text: String) = (nil, "")

    init(_ console: Console) {
        self.console = console
    }

    func connect(_ consumer: @escaping Consumer<PlayerEvent>) -> Connection<PlayerModel> {
        self.consumer = consumer
        return Connection(
            acceptClosure: { [self] model in show("\(model)", users: model.users) },
            disposeClosure: { [self] in self.consumer = nil })
    }

    /// Sends an event unless the loop is stopped.
    func send(_ event: PlayerEvent) {
        consumer?(event)
    }

    /// Waits until the events that were sent before are processed and shown.
    ///
    /// For a loop on the main queue, which enqueues its work and the work of the view there before this block.
    func answered() async {
        await withCheckedContinuation { answered in DispatchQueue.main.async { answered.resume() } }
    }

    func showOff() {
        show("off", users: nil)
    }

    /// Draws the line again after other output.
    func redraw() {
        console.hint(shown.text)
    }

    private func show(_ text: String, users: PlayerModel.Users?) {
        let old = shown
        shown = (users, text)
        if text == old.text { return }
        guard console.isInteractive else { return console.line(text) }
        // A text that does not fit, such as a long reason, is also written as a line once.
        if let users, users != old.users, text.count > console.statusWidth { console.line("\(users)") }
        console.hint(text)
    }
}
