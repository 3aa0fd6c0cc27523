import Foundation
import PlaygroundTestSupport
import TestSupport
import Testing

@Suite(.promptly, .timeLimit(.minutes(10))) struct PostsTests {
    let posts = Playground("posts")
    let nowhere = "http://127.0.0.1:9"

    @Test func `impossible input is reported and ignored, and the status is 1`() async throws {
        let report = try await posts.run(
            nowhere,
            input: "List\nlist all\nshow\nshow x\nshow -1\ndelete 1 2\npost\npost  | text\n\u{1B}[2J\nq\nlist\n")
        #expect(report.output == "")
        #expect(
            report.error.split(separator: "\n") == [
                #"posts: unknown input "List"; help lists the commands"#,
                #"posts: unknown input "list all"; help lists the commands"#,
                "posts: show needs the number of a post, as in show 1",
                "posts: show needs the number of a post, as in show 1",
                "posts: show needs the number of a post, as in show 1",
                "posts: delete needs the number of a post, as in delete 1",
                "posts: post needs a title, as in post A",
                "posts: post needs a title, as in post A",
                #"posts: unknown input "\u{1B}[2J"; help lists the commands"#,
            ])
        #expect(report.status == 1)
    }

    @Test(arguments: ["", "\n\n", "q", "q\r\nlist\n", "stop\nstop\n"])
    func `without a request nothing is printed`(input: String) async throws {
        let report = try await posts.run(nowhere, input: input)
        #expect(report.output == "")
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `a refused connection shows one offline banner, and an alert for each request`() async throws {
        let port = RefusingPort()
        let reason = "posts: The host 127.0.0.1:\(port.number) refused the connection, or cannot be reached."
        let report = try await posts.run("http://127.0.0.1:\(port.number)", input: "list\nshow 1\npost A\ndelete 1\n")
        #expect(report.output == "[offline]\n")
        #expect(report.error.split(separator: "\n").map(String.init) == Array(repeating: reason, count: 4))
        #expect(report.status == 1)
    }

    @Test func `help is an option and a command`() async throws {
        let report = try await posts.run("--help")
        #expect(report.output.hasPrefix("Usage: posts [--verbose] [--no-wait] [--trace FILE] SERVER"))
        #expect(report.output.contains("delete ID          deletes a post"))
        #expect(report.output.contains("--no-wait"))
        #expect(report.status == 0)
        let within = try await posts.run(nowhere, input: "help\n")
        #expect(within.output.contains("delete ID          deletes a post"))
        #expect(within.status == 0)
    }

    @Test(arguments: [
        [], ["--fast", "http://a"], ["posts"], ["ftp://example.org"], ["http://"], ["--verbose=yes", "http://a"],
        ["http://a", "http://b"],
    ])
    func `an invalid command line fails with status 64`(arguments: [String]) async throws {
        let report = try await RunningProcess.run(posts.path, arguments)
        #expect(report.output == "")
        #expect(report.error.hasPrefix("posts: "))
        #expect(report.error.split(separator: "\n").count == 1)
        #expect(report.status == 64)
    }
}

@Suite(.enabled(if: HTTPTestServer.isAvailable, HTTPTestServer.requirement), .promptly, .timeLimit(.minutes(10)))
struct PostsHTTPTests {
    let posts = Playground("posts")
    let server: HTTPTestServer

    init() async throws {
        server = try await HTTPTestServer.start()
    }

    @Test(arguments: ["", "/"])
    func `posts are listed, shown, posted and deleted, in the order of the input`(end: String) async throws {
        let report = try await posts.run(
            server.url(end),
            input: """
                list
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
                """)
        #expect(
            report.lines == [
                "1: First", "2: Second",
                "1: First", "2: Second",
                "1: First", "  Hello.", "", "  \u{FFFD}[2JBye.",
                "posted 3: Third",
                "posted 4: Fourth",
                "3: Third", "  and a | text",
                "deleted 1",
                "deleted 2",
                "deleted 3",
                "4: Fourth",
                "deleted 4",
                "no posts",
            ])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `verbose logs each action to standard error before its alert`() async throws {
        let report = try await posts.run(
            "--verbose", server.url(""), input: "list\nshow 9\npost A | B\ndelete 1\nfoo\nstop\n")
        #expect(report.lines == ["1: First", "2: Second", "posted 3: A", "deleted 1"])
        #expect(
            report.error.split(separator: "\n") == [
                "posts: ListPosts()",
                #"posts: PostsListed(posts: [1 "First", 2 "Second"])"#,
                "posts: ShowPost(id: 9)",
                "posts: RequestFailed(request: showing 9, error: There is no post 9.)",
                "posts: There is no post 9.",
                #"posts: CreatePost(draft: "A")"#,
                #"posts: PostCreated(draft: "A", post: 3 "A")"#,
                "posts: DeletePost(id: 1)",
                "posts: PostDeleted(id: 1)",
                #"posts: Misunderstood(reason: "unknown input \"foo\"; help lists the commands")"#,
                #"posts: unknown input "foo"; help lists the commands"#,
                "posts: RequestsStopped()",
                "posts: RequestsStopped()",
            ])
        #expect(report.status == 1)
    }

    @Test(arguments: [
        ("status-503", "The server answered with status 503."),
        ("malformed", "The server's answer cannot be decoded: it is not JSON."),
        ("untitled", "The server's answer cannot be decoded: it lacks title."),
    ])
    func `an invalid answer fails the request, and the server is not offline`(
        mode: String, reason: String
    ) async throws {
        try await server.answerPosts(mode)
        let process = try posts.start(server.url(""))
        process.send("show 1\npost A\nshow 2\n")
        await process.wait { $0.error.split(separator: "\n").count == 3 }
        try await server.answerPosts("ok")
        process.send("show 2\n")
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines == ["2: Second"])
        #expect(report.error.split(separator: "\n") == ["posts: \(reason)", "posts: \(reason)", "posts: \(reason)"])
        #expect(report.status == 1)
    }

    @Test func `the error names the list element that lacks a title`() async throws {
        try await server.answerPosts("untitled")
        let report = try await posts.run(server.url(""), input: "list\n")
        #expect(report.error == "posts: The server's answer cannot be decoded: the value at [0] lacks title.\n")
    }

    @Test(arguments: [("list", ["1: First", "2: Second"]), ("show 2", ["2: Second"]), ("show 9", [])])
    func `the offline banner appears with the first missing answer, and online again with the next answer`(
        question: String, answer: [String]
    ) async throws {
        try await server.answerPosts("drop")
        let process = try posts.start(server.url(""))
        process.send("list\nshow 1\ndelete 1\n")
        await process.wait { $0.error.split(separator: "\n").count == 3 }
        try await server.answerPosts("ok")
        process.send("\(question)\n\(question)\n")
        process.closeInput()
        let report = await process.wait()
        let lost = "posts: The host 127.0.0.1:\(server.port) closed the connection before its answer was complete."
        #expect(report.lines == ["[offline]"] + answer.prefix(2) + ["[online again]"] + answer)
        #expect(report.error.split(separator: "\n").prefix(3).map(String.init) == Array(repeating: lost, count: 3))
        #expect(report.status == 1)
    }

    @Test func `a new show replaces a stalled one, which is not logged`() async throws {
        try await server.answerPosts("stall")
        let process = try posts.start("--verbose", "--no-wait", server.url(""))
        process.send("show 1\n")
        #expect(await server.requested("/posts/1"))
        try await server.answerPosts("ok")
        process.send("show 2\n")
        #expect(await server.gone("/posts/1"))
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines == ["2: Second"])
        #expect(
            report.error.split(separator: "\n") == [
                "posts: ShowPost(id: 1)", "posts: ShowPost(id: 2)", #"posts: PostShown(id: 2, post: 2 "Second")"#,
                "posts: RequestsStopped()",
            ])
        #expect(report.status == 0)
    }

    @Test func `stop cancels stalled requests, and later ones are answered`() async throws {
        try await server.answerPosts("stall")
        let process = try posts.start("--no-wait", server.url(""))
        process.send("show 1\ndelete 2\npost A\npost B\n")
        for path in ["/posts/1", "/posts/2", "/posts"] { #expect(await server.requested(path)) }
        process.send("stop\n")
        for path in ["/posts/1", "/posts/2", "/posts"] { #expect(await server.gone(path)) }
        try await server.answerPosts("ok")
        process.send("post C\n")
        #expect(await process.line { $0 == "posted 3: C" } != nil)
        process.send("list\n")
        process.closeInput()
        let report = await process.wait()
        #expect(report.lines == ["posted 3: C", "1: First", "2: Second", "3: C"])
        #expect(report.error == "")
        #expect(report.status == 0)
    }

    @Test func `posts sent while the server delays its answers are created in order`() async throws {
        try await server.answerPosts("hold")
        let process = try posts.start("--no-wait", server.url(""))
        process.send("post A\npost B\npost C\npost D\n")
        process.closeInput()
        #expect(await server.requested("/posts"))
        try await server.answerPosts("ok")
        let report = await process.wait()
        #expect(report.lines == ["posted 3: A", "posted 4: B", "posted 5: C", "posted 6: D"])
        #expect(report.status == 0)
    }

    @Test func `each line, and the end of the input, waits for the previous answer`() async throws {
        try await server.answerPosts("hold")
        let process = try posts.start(server.url(""))
        process.send("show 1\nshow 2")
        process.closeInput()
        #expect(await server.requested("/posts/1"))
        try await server.answerPosts("ok")
        let report = await process.wait()
        #expect(report.lines.filter { $0.contains(": ") } == ["1: First", "2: Second"])
        #expect(report.status == 0)
    }

    @Test(arguments: [("q\n", Int32(0)), (nil, 130)])
    func `q and Ctrl-C do not wait for an answer`(input: String?, status: Int32) async throws {
        try await server.answerPosts("stall")
        let process = try posts.start("--no-wait", server.url(""))
        process.send("show 1\n")
        #expect(await server.requested("/posts/1"))
        if let input { process.send(input) } else { process.signal(SIGINT) }
        let report = await process.wait()
        #expect(await server.gone("/posts/1"))
        #expect(report.output == "")
        #expect(report.error == "")
        #expect(report.status == status)
    }

    @Test func `Ctrl-C ends the program while a line waits`() async throws {
        try await server.answerPosts("stall")
        let process = try posts.start(server.url(""))
        process.send("show 1\nq\n")
        #expect(await server.requested("/posts/1"))
        process.signal(SIGINT)
        let report = await process.wait()
        #expect(report.error == "")
        #expect(report.status == 130)
    }

    @Test func `a closed output ends the program without a message`() async throws {
        let process = try posts.startWithFickleReader(server.url(""))
        process.send("show 2\n")
        #expect(await process.line { $0 == "closed" } != nil)
        process.send("show 2\n")
        #expect(await process.wait().error == "status 141\n")
    }

    @Test func `on a terminal no line waits, and the prompt lists the requests under way`() async throws {
        try await server.answerPosts("stall")
        let process = try posts.startOnTerminal(server.url(""))
        process.send("show 1\n")
        await process.wait { $0.output.hasSuffix("showing 1… > \u{1B}[K") }
        process.send("delete 2\n")
        await process.wait { $0.output.hasSuffix("showing 1, deleting 2… > \u{1B}[K") }
        process.send("stop\n")
        await process.wait { $0.output.hasSuffix("\r> \u{1B}[K") }
        try await server.answerPosts("drop")
        process.send("list\n")
        await process.wait { $0.output.hasSuffix("[offline] > \u{1B}[K") && $0.terminalLines.contains("[offline]") }
        try await server.answerPosts("ok")
        process.send("list\n")
        await process.wait { $0.terminalLines.contains("[online again]") && $0.output.hasSuffix("\r> \u{1B}[K") }
        process.send("foo\nq\n")
        let report = await process.wait()
        #expect(report.terminalLines.contains("list               lists the posts"))
        #expect(report.terminalLines.contains("2: Second"))
        #expect(report.terminalLines.contains { $0.hasPrefix("posts: The host ") })
        #expect(report.terminalLines.contains(#"posts: unknown input "foo"; help lists the commands"#))
        #expect(report.status == 0)
    }
}
