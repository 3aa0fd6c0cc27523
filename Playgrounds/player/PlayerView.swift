import Dispatch
import ExampleLoops
import Loop
import TerminalSupport

/// Shows the player on a terminal, in one line that is drawn anew; elsewhere in a line for each change.
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

    /// Sends what a person has asked for, unless the loop is stopped.
    func send(_ event: PlayerEvent) {
        consumer?(event)
    }

    /// Waits until what was sent is handled, and shown.
    ///
    /// For a loop on the main queue: its turn is queued there before this one, and then the view's before what comes of
    /// this.
    func answered() async {
        await withCheckedContinuation { answered in DispatchQueue.main.async { answered.resume() } }
    }

    func showOff() {
        show("off", users: nil)
    }

    /// Draws the line again, after something else was written.
    func redraw() {
        console.hint(shown.text)
    }

    private func show(_ text: String, users: PlayerModel.Users?) {
        let old = shown
        shown = (users, text)
        if text == old.text { return }
        guard console.isInteractive else { return console.line(text) }
        // What the line has no room for, a long reason say, is written out once.
        if let users, users != old.users, text.count > console.statusWidth { console.line("\(users)") }
        console.hint(text)
    }
}
