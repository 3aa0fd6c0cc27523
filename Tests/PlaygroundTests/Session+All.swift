import Foundation

extension Session {
    static let all = [
        stepper, die, dashboard, screenLoader, player, playerInMemory, posts, postsInMemory, fetchMany, checkLaws,
    ].flatMap(\.self)

    // MARK: - stepper and die

    private static let stepper = [
        Session(
            "prints the first state, then one for each input until q", "stepper", input: "+\n+\n-\nq\n+\n",
            output: "0\n1\n2\n1"),
        Session(
            "each state is written before the next input is read", "stepper",
            (0..<60).flatMap { [.line("\($0)"), .type("+\n")] } + [.end], output: "…\n60"),
        Session("the end of the input quits, as q does", "stepper", input: "-\n-", output: "0\n-1\n-2"),
        Session(
            "empty lines and white space are ignored", "stepper", input: "  +\n+ \t\r\n\n -\n\r\n", output: "0\n1\n2\n1"
        ),
        Session(
            "unknown input is reported and ignored, and the status is 1", "stepper",
            input: "+\nx\n\u{1B}[2J\n++\n+\nq\n", output: "0\n1\n2",
            error: #"""
                stepper: unknown input "x"; + counts up, - counts down, q quits
                stepper: unknown input "\u{1B}[2J"; + counts up, - counts down, q quits
                stepper: unknown input "++"; + counts up, - counts down, q quits
                """#, status: 1),
    ]

    private static let die = [
        Session(
            "prints the first state, then one for each roll until q", "die --seed 7", input: "r\n\nr\nq\nr\n",
            output: "not rolled yet\n3\n1\n6"),
        Session("the end of the input quits, as q does", "die --seed 7", input: "r", output: "not rolled yet\n3"),
        Session("no rolls", "die 0", input: "r\n", output: "not rolled yet"),
        Session(
            "unknown input is reported and ignored, and the status is 1", "die --seed 7", input: "r\nroll\nr\nq\n",
            output: "not rolled yet\n3\n1", error: #"die: unknown input "roll"; r or return rolls, q quits"#, status: 1),
    ]

    // MARK: - dashboard

    private static let dashboard =
        [
            Session(
                "each input changes its part, which is marked with a star", "dashboard --seed 3",
                input: "+\n+\n-\nroll 2\nadd\nroll 3\nq\n",
                output: """
                    stepper: 0 | die 1: - | die 2: - | screen: empty
                    *stepper: 1 | die 1: - | die 2: - | screen: empty
                    *stepper: 2 | die 1: - | die 2: - | screen: empty
                    *stepper: 1 | die 1: - | die 2: - | screen: empty
                    stepper: 1 | die 1: - | *die 2: 1 | screen: empty
                    stepper: 1 | die 1: - | die 2: 1 | *die 3: - | screen: empty
                    stepper: 1 | die 1: - | die 2: 1 | *die 3: 5 | screen: empty
                    """),
            Session(
                "the end of the input waits for a load", "dashboard", input: "load \(#filePath)",
                output: """
                    …
                    stepper: 0 | die 1: - | die 2: - | *screen: loading
                    …
                    …| *screen: loaded: … bytes) of text/x-swift
                    """),
            Session(
                "a failed load shows the reason, and the dashboard continues", "dashboard",
                [
                    .type("load /no/such/file\n"), .line("*screen: failed: There is no file /no/such/file."),
                    .type("+\n"), .end,
                ],
                output: "…\n*stepper: 1 | die 1: - | die 2: - | screen: failed: There is no file /no/such/file."),
            Session("help is a command", "dashboard", input: "help\n", output: "…\nroll N  …\n…"),
            Session(
                "unknown input is reported and ignored, and the status is 1", "dashboard",
                input: "+\n\n*\nroll\nroll x\nroll 3\nload\n+ 1\nload \nq now\n\u{1B}[2J\n+\n",
                output: "stepper: 0 …\n*stepper: 1 …\n*stepper: 2 …",
                error: #"""
                    dashboard: unknown input "*"; help lists the commands
                    dashboard: roll needs a number, as in roll 1
                    dashboard: roll needs a number, as in roll 1
                    dashboard: there is no die 3; add adds a die
                    dashboard: load needs a path or a URL, as in load README.md
                    dashboard: unknown input "+ 1"; help lists the commands
                    dashboard: load needs a path or a URL, as in load README.md
                    dashboard: unknown input "q now"; help lists the commands
                    dashboard: unknown input "\u{1B}[2J"; help lists the commands
                    """#, status: 1),
        ] + dashboardWithServer

    /// A load that does not end.
    private static let stalled = "/stall-after/0/1000"
    private static let isStalled = Step.line("*screen: loading: 0 bytes of 1.0 kB")

    private static let dashboardWithServer = [
        Session(
            "other parts change while a load runs", "dashboard",
            [
                .type("load SERVER/drip/a/1000/1000\n"), isStalled, .type("+\nroll 1\n"), .line("| *die 1: "), .end,
                .release("a"),
            ],
            output: """
                …
                …*die 1: …loading: 0 bytes of 1.0 kB
                …
                stepper: 1 | die 1: …| *screen: loaded: 1.0 kB (1000 bytes) of text/plain
                """),
        Session(
            "stop cancels a load, and no later progress is shown", "dashboard",
            [.type("load SERVER\(stalled)\n"), isStalled, .type("stop\n+\n"), .end, .gone(stalled)],
            output: """
                …
                stepper: 0 | die 1: - | die 2: - | *screen: cancelled after 0 bytes of 1.0 kB
                *stepper: 1 | die 1: - | die 2: - | screen: cancelled after 0 bytes of 1.0 kB
                """),
        Session(
            "a new load replaces the running one", "dashboard",
            [.type("load SERVER\(stalled)\n"), isStalled, .type("load SERVER/bytes/7\n"), .gone(stalled), .end],
            output: "…\n…| *screen: loaded: 7 bytes of text/plain"),
        Session(
            "q does not wait for a load", "dashboard", [.type("load SERVER\(stalled)\n"), isStalled, .type("q\n")],
            output: nil),
        Session(
            "Ctrl-C does not wait for a load", "dashboard", [.type("load SERVER\(stalled)\n"), isStalled, .interrupt],
            output: nil, status: 130),
    ]

    // MARK: - screen-loader

    private static let screenLoader =
        [
            Session(
                "a path is loaded", "screen-loader FILE",
                // On a busy machine, the program may report its progress once more.
                output: """
                    loading
                    loading: 0 bytes of 28 bytes
                    …
                    loaded: 28 bytes of text/markdown
                      # Title

                      one
                      two
                      three
                    """),
            Session(
                "a file URL is loaded", "screen-loader LINK", output: "…\nloaded: 28 bytes of text/markdown\n…"),
            Session(
                "a refused connection is a failure", "screen-loader http://REFUSING/", output: "loading",
                error: "screen-loader: The host REFUSING refused the connection, or cannot be reached.", status: 1),
            Session(
                "a resource is loaded with its first lines", "screen-loader SERVER/bytes/1000?type=text/markdown",
                output: "loading\nloading: 0 bytes of 1.0 kB\n…\nloaded: 1.0 kB (1000 bytes) of text/markdown"
                    + String(repeating: "\n  The quick brown fox …", count: 5)),
            Session(
                "bytes that arrive are shown, and Ctrl-C cancels the load",
                "screen-loader SERVER/drip/a/1000/100000000",
                [.line("loading: 0 bytes"), .release("a", until: "B of 100.0 MB"), .interrupt],
                // The server sends a kilobyte at a time. On a busy machine, the program may report megabytes at once.
                output: "loading\nloading: 0 bytes of 100.0 MB\n…\nloading: …B of 100.0 MB",
                error: "screen-loader: cancelled after …B of 100.0 MB", status: 130),
            Session(
                "Ctrl-C cancels a load that is not answered", "screen-loader SERVER/stall",
                [.line("loading"), .requested("/stall"), .interrupt, .gone("/stall")], output: nil,
                error: "screen-loader: cancelled…", status: 130),
        ]
        + [
            ("/no/such/file", "There is no file /no/such/file."), ("/", "/ is a directory, not a file."),
            (
                "ftp://example.org/x",
                "URLs that begin with ftp: cannot be loaded. Pass a path, or an http:, https: or file: URL."
            ),
        ].map { location, reason in
            Session(
                "a failure has a reason", "screen-loader \(location)", output: "loading",
                error: "screen-loader: \(reason)", status: 1)
        }
        + [
            ("/invalid-utf8", "Its text is not shown: the byte at offset 18 is not valid UTF-8."),
            ("/binary/1000", "Its data is binary and not shown."),
            ("/empty", "It is empty."),
        ].map { path, words in
            Session(
                "a resource without a text preview is loaded", "screen-loader SERVER\(path)",
                output: "…\nloaded: …\n  \(words)")
        }
        + [
            ("/status/500", "The server answered with status 500 …"),
            ("/drop-after/5000/10000", "The connection to HOST was lost after 5.0 kB of 10.0 kB."),
        ].map { path, words in
            Session(
                "a failure is described", "screen-loader SERVER\(path)", output: "loading\n…",
                error: "screen-loader: \(words)", status: 1)
        }

    // MARK: - player

    private static let nowhere = "player http://127.0.0.1:9"

    private static let player =
        [
            Session(
                "a second stop and a second play change nothing, and each change is a line", nowhere,
                input: "s\np\np\nt\nt\n\r\n\ns\ns\nt\nq\np\n",
                output: """
                    stopped | no users
                    playing 0:00 | no users
                    playing 0:01 | no users
                    playing 0:02 | no users
                    stopping | no users
                    stopped | no users
                    """),
            Session(
                "a key stops the loop and restarts it from its last model", nowhere, input: "p\nt\nx\nx\nt\nq\n",
                output: """
                    stopped | no users
                    playing 0:00 | no users
                    playing 0:01 | no users
                    off
                    playing 0:01 | no users
                    playing 0:02 | no users
                    """),
            Session(
                "the end of the input quits, as q does", nowhere, input: "p\ns",
                output: "stopped | no users\nplaying 0:00 | no users\nstopping | no users\nstopped | no users"),
            Session("quits while the loop is stopped", nowhere, input: "x\nq\n", output: "stopped | no users\noff"),
            Session(
                "the end of the input quits while the loop is stopped", nowhere, input: "x\n",
                output: "stopped | no users\noff"),
            Session(
                "impossible input is reported and ignored, and the status is 1", nowhere,
                input: "p\nP\np p\n\u{1B}[2J\nf\nx\nt\nx\nt\n",
                output: """
                    stopped | no users
                    playing 0:00 | no users
                    off
                    playing 0:00 | no users
                    playing 0:01 | no users
                    """,
                error: #"""
                    player: unknown input "P"; h lists the commands
                    player: unknown input "p p"; h lists the commands
                    player: unknown input "\u{1B}[2J"; h lists the commands
                    player: f needs the IDs of users, here or on the command line
                    player: the loop is stopped; x starts it
                    """#, status: 1),
            Session(
                "verbose logs each start, event, model and effect", nowhere + " --verbose", input: "p\nx\nx\ns\nq\n",
                output: "…\n…\n…\n…\n…\n…",
                error: """
                    player: Initializing loop
                    player: Loop initialized, starting from model: stopped | no users
                    player: Event received: play
                    player: Model updated: playing 0:00 | no users
                    player: Initializing loop
                    player: Loop initialized, starting from model: playing 0:00 | no users
                    player: Event received: stop
                    player: Model updated: stopping | no users
                    player: Effect dispatched: stopPlayback
                    player: Event received: playbackStopped
                    player: Model updated: stopped | no users
                    player: Event received: quit
                    player: Effect dispatched: closeApplication
                    """),
            Session(
                "a refused connection fails the fetch, not the player", "player http://REFUSING ada", input: "f\n",
                output: """
                    stopped | no users
                    stopped | fetching "ada"
                    stopped | failed: The host REFUSING refused the connection, or cannot be reached.
                    """),
            Session("help is a command", nowhere, input: "h\n", output: "…\nq  quits without waiting for a fetch"),
            Session(
                "Ctrl-C ends the player", nowhere, [.line("stopped"), .interrupt], output: "stopped | no users",
                status: 130),
            Session(
                "users are fetched, in the order of their IDs, while it plays", "player SERVER/file/ grace ada",
                [.type("p\nf\n"), .line("Grace"), .type("t\nf ada\n"), .line("1 | Ada"), .type("s\nq\n")],
                output: """
                    stopped | no users
                    playing 0:00 | no users
                    playing 0:00 | fetching "grace", "ada"
                    playing 0:00 | Grace Hopper, Ada Lovelace
                    playing 0:01 | Grace Hopper, Ada Lovelace
                    playing 0:01 | fetching "ada"
                    playing 0:01 | Ada Lovelace
                    stopping | Ada Lovelace
                    stopped | Ada Lovelace
                    """),
            Session(
                "a stop cancels a stalled fetch, and the next start does not show it", "player --verbose SERVER",
                [
                    .type("p\nf stall\n"), .requested("/stall"), .type("x\n"), .gone("/stall"),
                    .type("x\nt\nf file/ada\n"), .line("| Ada"), .end,
                ],
                output: """
                    stopped | no users
                    playing 0:00 | no users
                    playing 0:00 | fetching "stall"
                    off
                    playing 0:00 | no users
                    playing 0:01 | no users
                    playing 0:01 | fetching "file/ada"
                    playing 0:01 | Ada Lovelace
                    """,
                error: """
                    player: Initializing loop
                    player: Loop initialized, starting from model: stopped | no users
                    player: Event received: play
                    player: Model updated: playing 0:00 | no users
                    player: Event received: fetch(ids: ["stall"])
                    player: Model updated: playing 0:00 | fetching "stall"
                    player: Effect dispatched: fetchUsers(ids: ["stall"])
                    player: Initializing loop
                    player: Loop initialized, starting from model: playing 0:00 | no users
                    player: Event received: secondPassed
                    player: Model updated: playing 0:01 | no users
                    player: Event received: fetch(ids: ["file/ada"])
                    player: Model updated: playing 0:01 | fetching "file/ada"
                    player: Effect dispatched: fetchUsers(ids: ["file/ada"])
                    player: Event received: usersFetched(…)
                    player: Model updated: playing 0:01 | Ada Lovelace
                    player: Event received: inputEnded
                    player: Effect dispatched: closeApplication
                    """),
            Session(
                "a new fetch replaces a stalled one", "player SERVER",
                [.type("f stall\n"), .requested("/stall"), .type("f file/ada\n"), .gone("/stall"), .end],
                output: """
                    stopped | no users
                    stopped | fetching "stall"
                    stopped | fetching "file/ada"
                    stopped | Ada Lovelace
                    """),
            Session(
                "the end of the input waits for a fetch", "player SERVER",
                [.type("f drip/a/10/10\n"), .end, .requested("/drip/a/10/10"), .release("a")],
                output: "…\nstopped | The quick "),
            Session(
                "q does not wait for a fetch", "player SERVER",
                [.type("f stall\n"), .requested("/stall"), .type("q\n")],
                output: "…\nstopped | fetching \"stall\""),
            Session(
                "Ctrl-C does not wait for a fetch", "player SERVER",
                [.type("f stall\n"), .requested("/stall"), .interrupt],
                output: "…\nstopped | fetching \"stall\"", status: 130),
        ]
        + [
            ("drop", "The host HOST closed the connection without sending anything."),
            ("drop-after/5/10", "The connection to HOST was lost after 5 bytes of 10 bytes."),
            ("binary/1000", #"The server has no name for "binary/1000"."#),
            ("empty", #"The server has no name for "empty"."#),
            ("file/nobody", #"There is no user "file/nobody"."#),
        ].map { id, words in
            Session(
                "a failed fetch shows what it has loaded and the reason, and the next one succeeds", "player SERVER",
                [.type("f file/ada \(id)\n"), .line("failed"), .type("f file/ada\n"), .end],
                output: "…\nstopped | Ada Lovelace, failed: \(words)\n…\nstopped | Ada Lovelace")
        }

    private static let playerInMemory = [
        Session(
            "a missing user hides no other user", "player SERVER/file/ grace nobody ada", input: "f\n",
            output: """
                …
                stopped | Grace Hopper, Ada Lovelace, failed: There is no user "nobody".
                """),
        Session(
            "without arguments, the server is in memory, and commands change how it answers", "player",
            [
                .type("f\n"), .line("Grace"), .type("l 0\ne 503\nf ada\n"), .line("503"), .type("d 1\nf eve ada\n"),
                .line("eve\"."), .type("l\nl x\ne 200\nq\n"),
            ],
            output: #"""
                The server is in memory, with the users ada, alan, grace. To use a real one, pass its URL.
                stopped | no users
                stopped | fetching "ada", "alan", "grace"
                stopped | Ada Lovelace, Alan Turing, Grace Hopper
                stopped | fetching "ada"
                stopped | failed: The server answered with status 503.
                stopped | fetching "eve", "ada"
                stopped | Ada Lovelace, failed: There is no user "eve".
                """#,
            error: """
                player: l needs milliseconds from 0 to 600000, as in l 500
                player: e needs a status from 400 to 599, as in e 503, or nothing
                """, status: 1),
        Session(
            "with a server, its commands are unknown", nowhere, input: "l\n", output: "stopped | no users",
            error: #"player: unknown input "l"; h lists the commands"#, status: 1),
    ]

    // MARK: - posts

    private static let posts =
        [
            Session(
                "impossible input is reported and ignored, and the status is 1", "posts http://REFUSING",
                input: "List\nlist all\nshow\nshow x\nshow -1\ndelete 1 2\npost\npost  | text\n\u{1B}[2J\nq\nlist\n",
                output: "",
                error: #"""
                    posts: unknown input "List"; help lists the commands
                    posts: unknown input "list all"; help lists the commands
                    posts: show needs the number of a post, as in show 1
                    posts: show needs the number of a post, as in show 1
                    posts: show needs the number of a post, as in show 1
                    posts: delete needs the number of a post, as in delete 1
                    posts: post needs a title, as in post A
                    posts: post needs a title, as in post A
                    posts: unknown input "\u{1B}[2J"; help lists the commands
                    """#, status: 1),
            Session(
                "without a request nothing is printed", "posts http://REFUSING", input: "\n\nstop\nstop\nq\r\nlist\n",
                output: ""),
            Session(
                "a refused connection shows one offline banner, and an alert for each request", "posts http://REFUSING",
                input: "list\nshow 1\npost A\ndelete 1\n", output: "[offline]",
                error: Array(
                    repeating: "posts: The host REFUSING refused the connection, or cannot be reached.", count: 4
                ).joined(separator: "\n"), status: 1),
            Session(
                "help is a command", "posts http://REFUSING", input: "help\n",
                output: "…\ndelete ID          deletes a post\n…"),
            Session(
                "verbose logs each action to standard error before its alert", "posts --verbose SERVER",
                input: "list\nshow 9\npost A | B\ndelete 1\nfoo\nstop\n",
                output: "1: First\n2: Second\nposted 3: A\ndeleted 1",
                error: #"""
                    posts: ListPosts()
                    posts: PostsListed(posts: [1 "First", 2 "Second"])
                    posts: ShowPost(id: 9)
                    posts: RequestFailed(request: showing 9, error: There is no post 9.)
                    posts: There is no post 9.
                    posts: CreatePost(draft: "A")
                    posts: PostCreated(draft: "A", post: 3 "A")
                    posts: DeletePost(id: 1)
                    posts: PostDeleted(id: 1)
                    posts: Misunderstood(reason: "unknown input \"foo\"; help lists the commands")
                    posts: unknown input "foo"; help lists the commands
                    posts: RequestsStopped()
                    posts: RequestsStopped()
                    """#, status: 1),
            Session(
                "a list names the element that lacks a title", "posts SERVER",
                [.posts("untitled"), .type("list\n"), .end], output: "",
                error: "posts: The server's answer cannot be decoded: the value at [0] lacks title.", status: 1),
            Session(
                "stop cancels stalled requests, and later ones are answered", "posts --no-wait SERVER",
                [.posts("stall"), .type("show 1\ndelete 2\npost A\npost B\n")]
                    + ["/posts/1", "/posts/2", "/posts"].map(Step.requested) + [.type("stop\n")]
                    + ["/posts/1", "/posts/2", "/posts"].map(Step.gone)
                    + [.posts("ok"), .type("post C\n"), .line("posted 3: C"), .type("list\n"), .end],
                output: "posted 3: C\n1: First\n2: Second\n3: C"),
            Session(
                "each line, and the end of the input, waits for the previous answer", "posts SERVER",
                [.posts("hold"), .type("show 1\nshow 2"), .end, .requested("/posts/1"), .posts("ok")],
                output: "1: First\n…\n2: Second"),
            Session(
                "q does not wait for an answer", "posts --no-wait SERVER",
                [.posts("stall"), .type("show 1\n"), .requested("/posts/1"), .type("q\n"), .gone("/posts/1")],
                output: ""),
            Session(
                "Ctrl-C does not wait for an answer", "posts --no-wait SERVER",
                [.posts("stall"), .type("show 1\n"), .requested("/posts/1"), .interrupt, .gone("/posts/1")], output: "",
                status: 130),
            Session(
                "Ctrl-C ends the program while a line waits", "posts SERVER",
                [.posts("stall"), .type("show 1\nq\n"), .requested("/posts/1"), .interrupt], output: "", status: 130),
        ]
        + ["", "/"].map { end in
            Session(
                "posts are listed, shown, posted and deleted, in the order of the input", "posts SERVER\(end)",
                input: """
                    list
                    show 1
                    post Third | and a | text
                    post  Fourth\u{20}
                    show 3
                    delete 1
                    delete 2
                    delete 3
                    list
                    delete 4
                    list
                    """,
                output: """
                    1: First
                    2: Second
                    1: First
                      Hello.

                      \u{FFFD}[2JBye.
                    posted 3: Third
                    posted 4: Fourth
                    3: Third
                      and a | text
                    deleted 1
                    deleted 2
                    deleted 3
                    4: Fourth
                    deleted 4
                    no posts
                    """)
        }
        + [
            ("status-503", "The server answered with status 503."),
            ("malformed", "The server's answer cannot be decoded: it is not JSON."),
            ("untitled", "The server's answer cannot be decoded: it lacks title."),
        ].map { mode, reason in
            Session(
                "an invalid answer fails the request, and the server is not offline", "posts SERVER",
                [.posts(mode), .type("show 1\npost A\nshow 2\n"), .errors(3), .posts("ok"), .type("show 2\n"), .end],
                output: "2: Second", error: Array(repeating: "posts: \(reason)", count: 3).joined(separator: "\n"),
                status: 1)
        }
        + [
            Session(
                "the offline banner appears with the first missing answer, and online again with the next one",
                "posts SERVER",
                [
                    .posts("drop"), .type("list\nshow 1\ndelete 1\n"), .errors(3), .posts("ok"),
                    .type("list\nshow 2\n"),
                    .end,
                ],
                output: "[offline]\n1: First\n2: Second\n[online again]\n2: Second",
                error: Array(
                    repeating: "posts: The host HOST closed the connection before its answer was complete.", count: 3
                ).joined(separator: "\n"), status: 1)
        ]

    private static let inMemory = "The server is in memory, with 2 posts. To use a real one, pass its URL."

    private static let postsInMemory = [
        Session(
            "without arguments, the server is in memory", "posts",
            input: "latency 0\nlist\nshow 2\npost A | B\ndelete 1\nlist\n",
            output: """
                \(inMemory)
                1: First
                2: Second
                2: Second
                  A post
                  with two lines.
                posted 3: A
                deleted 1
                2: Second
                3: A
                """),
        Session(
            "commands change how the server in memory answers", "posts",
            input: "latency 10\ndelay 1\nerror\nlist\nlist\nerror 503\nshow 1\nerror 404\nshow 1\nshow 9\n",
            output: """
                \(inMemory)
                [offline]
                1: First
                2: Second
                [online again]
                """,
            error: """
                posts: The server closed the connection without sending anything.
                posts: The server answered with status 503.
                posts: There is no post 1.
                posts: There is no post 9.
                """, status: 1),
        Session(
            "impossible commands for the server are reported", "posts",
            input: "latency 1 2\ndelay -1\nerror 200\nhelp\nq\n", output: "…\nerror [STATUS]     …",
            error: #"""
                posts: latency needs milliseconds from 0 to 600000, as in latency 500
                posts: delay needs milliseconds from 0 to 600000, as in delay 500
                posts: error needs a status from 400 to 599, as in error 503, or nothing
                """#, status: 1),
        Session(
            "with a server, its commands are unknown", "posts http://REFUSING", input: "error\n", output: "",
            error: #"posts: unknown input "error"; help lists the commands"#, status: 1),
    ]

    // MARK: - fetch-many and check-laws

    private static let fetchMany = [
        Session(
            "files are loaded", "fetch-many FILE LINK --at-once 1",
            output: """
                FILE: loading
                FILE: loaded 28 bytes of text/markdown
                LINK: loading
                LINK: loaded 28 bytes of text/markdown
                loaded 2 of 2
                """),
        Session(
            "a failing server is asked again until it recovers",
            "fetch-many SERVER/unwell/a/2/503/2000 --backoff 1 --timeout 600000",
            output: """
                …
                SERVER/unwell/a/2/503/2000: trying again: The server answered with status 503…
                …
                SERVER/unwell/a/2/503/2000: trying again: The server answered with status 503…
                …
                SERVER/unwell/a/2/503/2000: loaded 2.0 kB (2000 bytes) of text/plain
                loaded 1 of 1
                """),
        Session(
            // On a busy machine, a try may exceed its time limit. Without an end of the retries, each location is loaded.
            "a load that stalls is ended and tried again",
            "fetch-many SERVER/unwell/b/1/stall/10 --backoff 1 --timeout 4000 --retries 1000000 --total 2147483647",
            [.gone("/unwell/b/1/stall/10")],
            output: """
                …
                SERVER/unwell/b/1/stall/10: trying again: The load took longer than 4.0 seconds.
                …
                SERVER/unwell/b/1/stall/10: loaded 10 bytes of text/plain
                loaded 1 of 1
                """),
        Session(
            "permanent failures are reported, and the rest is loaded",
            "fetch-many SERVER/drop SERVER/bytes/5 --retries 1 --backoff 0",
            output: "…\nSERVER/drop: trying again: …\n…\nloaded 1 of 2",
            error: "fetch-many: SERVER/drop: The host HOST closed…", status: 1),
        Session(
            "Ctrl-C ends all loads, and does not report finished ones",
            "fetch-many SERVER/bytes/5/a SERVER/stall SERVER/stall-after/10/100 SERVER/bytes/5 --at-once 2",
            [
                .line("/bytes/5/a: loaded 5 bytes of text/plain"), .requested("/stall"),
                .requested("/stall-after/10/100"), .interrupt, .gone("/stall"), .gone("/stall-after/10/100"),
            ],
            output: "…\nloaded 1 of 4",
            // The ten bytes may or may not have been reported before the interrupt.
            error: """
                fetch-many: SERVER/stall: The load was stopped after 0 bytes.
                fetch-many: SERVER/stall-after/10/100: The load was stopped after …0 bytes.
                fetch-many: SERVER/bytes/5: The load did not start.
                fetch-many: interrupted
                """, status: 130),
        Session(
            "an interrupt reports the last failure of a load that waits for a retry",
            "fetch-many SERVER/status/503 --backoff 1 --retries 1000000 --timeout 600000",
            [.line("trying again: "), .interrupt], output: "…\nloaded 0 of 1",
            error: """
                fetch-many: SERVER/status/503: The load was stopped …. The last try failed: The server answered with status 503…
                fetch-many: interrupted
                """, status: 130),
        Session(
            "all loads can run at once, also more than Dispatch has threads",
            "fetch-many " + (0..<300).map { "SERVER/bytes/5/\($0) " }.joined()
                + "--at-once 300 --timeout 600000 --retries 1000000",
            output: "…\nloaded 300 of 300"),
    ]

    private static let checkLaws = [
        Session(
            "finds the bug, prints the smallest counterexample and fails", "check-laws",
            output: """
                This lens breaks its laws on purpose: …
                …
                ✘ The law does not hold: set(s, get(s)) == s
                    left:  Account(name: "", renames: 1)
                    right: Account(name: "", renames: 0)
                    falsified for: whole Account(name: "", renames: 0)
                …
                    replay: …
                …
                ✔ get(set(s, a)) == a
                …
                … The exit status is 1.
                """, status: 1)
    ]
}
