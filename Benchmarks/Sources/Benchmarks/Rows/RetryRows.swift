import FunctionalCore

private let section = "EnvIO concurrency"

private typealias Asking = EnvIO<Server, any Error, Int>

/// Three attempts of which the third succeeds, against the same in a loop with `do` and `catch`.
///
/// The attempts of the first two lines do nothing, so that the loop is all there is; those of the others wait for a
/// task, and for a group of two, as what is worth a retry does.
var retryRows: [Row] {
    [
        Row(section, "retry of 3", peer: "Bow 735,770") {
            let closure = Asking { server in try server.answer() }
            let waiting = Asking { server async throws in try await server.answerLater() }
            let elsewhere = Asking { server async throws in try await server.answerOfAnotherTask() }
            let half = EnvIO<Int, any Error, Int> { number async in await halfAnswer(number) }
            let both = half.parZip(half).contramap { _ in opaque(1) }.followed(by: closure)
            return [
                .time("of a closure", retry(closure), byHand { try await answer(of: $0) })
                    .pending(goal: 4, "as much as the bar allows, or slightly more"),
                .time("of an async closure", retry(waiting), byHand { try await laterAnswer(of: $0) }),
                .time("of a task", retry(elsewhere), byHand { try await answerOfAnotherTask(of: $0) }),
                .time("of two at once", retry(both), byHand { try await answerAfterBoth(of: $0) }),
            ]
        }
    ]
}

private func retry(_ program: Asking) -> Subject {
    let program = opaque(program.retry(.recurs(2)))
    return Subject(waiting: "retry", expecting: 3_000) {
        let server = Server()
        var last = 0
        for _ in 0..<1_000 { last = try await program.run(server) }
        return last
    }
}

private func byHand(_ ask: @escaping (Server) async throws -> Int) -> Subject {
    // The last of 1,000 answers to every third question.
    Subject(waiting: "by hand", expecting: 3_000) {
        let server = Server()
        var last = 0
        for _ in 0..<1_000 { last = try await ask(server) }
        return last
    }
}

@inline(never)
private func answer(of server: Server) async throws -> Int {
    for _ in 1..<3 {
        do { return try server.answer() } catch {}
    }
    return try server.answer()
}

@inline(never)
private func laterAnswer(of server: Server) async throws -> Int {
    for _ in 1..<3 {
        do { return try await server.answerLater() } catch {}
    }
    return try await server.answerLater()
}

@inline(never)
private func answerOfAnotherTask(of server: Server) async throws -> Int {
    for _ in 1..<3 {
        do { return try await server.answerOfAnotherTask() } catch {}
    }
    return try await server.answerOfAnotherTask()
}

@inline(never)
private func answerAfterBoth(of server: Server) async throws -> Int {
    for _ in 1..<3 {
        do {
            try await bothHalves()
            return try server.answer()
        } catch {}
    }
    try await bothHalves()
    return try server.answer()
}

private func bothHalves() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<2 { group.addTask { await halfAnswer(opaque(1)) } }
        for try await value in group { use(value) }
    }
}

@inline(never)
private func halfAnswer(_ number: Int) async -> Int {
    opaque(number) &+ 1
}

/// Answers every third question.
private final class Server {
    private var questions = 0

    @inline(never)
    func answer() throws -> Int {
        questions += 1
        if questions % 3 != 0 { throw Failed(level: questions) }
        return questions
    }

    @inline(never)
    nonisolated(nonsending) func answerLater() async throws -> Int {
        try answer()
    }

    @inline(never)
    nonisolated(nonsending) func answerOfAnotherTask() async throws -> Int {
        await Task {}.value
        return try answer()
    }
}
