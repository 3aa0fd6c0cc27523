import Effects
import ExampleStores
import TerminalSupport

/// Shows posts on a console: each page, the banner, alerts, and on a terminal what is under way.
///
/// On the thread that handles an action, so that its lines are out before anything else is handled.
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
        // After the others, whose lines take its place.
        store.select(selectPrompt).observe { prompt in console.hint(prompt) }
        store.register(
            alertEffect { [weak store] reason in
                console.failure("\(name): \(reason)")
                if let store { console.hint(selectPrompt(store.state)) }
            })
    }
}
