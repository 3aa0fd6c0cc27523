import Effects
import ExampleStores
import TerminalSupport

/// A view of posts on a console: pages, the banner and alerts, and on a terminal the requests in progress.
///
/// Writes on the draining thread, so that the lines are written before the next action is processed.
struct PostsView {
    let name: String
    let console: Console

    func follow(_ store: Store<PostsState>) {
        let (name, console) = (name, console)
        store.select(\.page).observe { page in
            for line in page.lines { console.line(line) }
        }
        store.select(\.connection).observe { connection in
            if let banner = connection.banner { console.line(banner) }
        }
        // Registered last, because the lines of the other observers replace the hint.
        store.select(selectPrompt).observe { prompt in console.hint(prompt) }
        store.register(
            alertEffect { [weak store] reason in
                console.failure("\(name): \(reason)")
                if let store { console.hint(selectPrompt(store.state)) }
            })
    }
}
