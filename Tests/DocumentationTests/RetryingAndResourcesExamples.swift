// The code of the article on retrying, repeating and resources.

import FunctionalCore
import TestSupport
import Testing

@Suite("The article on retrying, repeating and resources", .timeLimit(.minutes(10)))
struct RetryingAndResourcesExampleTests {
    @Test func again() throws {
        struct Unreachable: Error {}
        let attempts = Ref(0)
        let download = EnvIO<Void, any Error, Int> {
            try attempts.modify { attempt in
                attempt += 1
                if attempt % 2 == 1 { throw Unreachable() }
                return attempt
            }
        }
        let save = download
        let progress = EnvIO<Void, any Error, Int> { 100 }

        let patient = Schedule<any Error>.exponential(base: .milliseconds(100)).jittered().capped(at: .seconds(10))
        let page = download.retry(patient && .recurs(5))

        let saved = save.retry(.spaced(.seconds(1)).upTo(.seconds(30)).whileInput { $0 is Unreachable })

        let finished = progress.repeat(.spaced(.seconds(1)).untilInput { $0 == 100 })

        // Neither waits here: the second attempts of these would.
        _ = (page, saved)
        #expect(try finished.runSync() == 100)
        #expect(try download.retry(.recurs(1)).runSync() == 2)

        let delays =
            Schedule<Int>.fibonacci(.seconds(1)).capped(at: .seconds(4)).delays(for: 1...5)  // 1, 1, 2, 3 and 4 seconds
        #expect(delays == [.seconds(1), .seconds(1), .seconds(2), .seconds(3), .seconds(4)])
    }

    @Test func givenBack() async throws {
        struct Connection: Sendable {
            let log: Log
            func close() { log.append("close") }
        }
        struct Network: Sendable {
            let log = Log()
            func connect() async throws -> Connection {
                log.append("connect")
                return Connection(log: log)
            }
        }
        struct Table: Sendable { var rows = [1, 2] }
        @Sendable func lockedTable(of connection: Connection) -> Resource<Network, any Error, Table> {
            Resource(
                acquire: EnvIO { network in
                    network.log.append("lock")
                    return Table()
                },
                release: { _ in EnvIO { network in network.log.append("unlock") } }
            )
        }

        let connection = Resource<Network, any Error, Connection>(
            acquire: EnvIO { network in try await network.connect() },
            release: { connection in EnvIO { _ in connection.close() } }
        )
        let table = connection.flatMap { connection in lockedTable(of: connection) }
        let count = table.use { table in EnvIO { _ in table.rows.count } }

        let network = Network()
        #expect(try await count.run(network) == 2)
        #expect(network.log.lines == ["connect", "lock", "unlock", "close"])
    }

    @Test func shared() throws {
        let visits = Ref(0)
        let firstVisitor = Deferred<String>()

        let visit = EnvIO<String, any Error, Void> { name in
            visits.modify { $0 += 1 }
            firstVisitor.complete(name)
        }
        let greeting = EnvIO<String, any Error, String>.value(of: firstVisitor).map { "The first was \($0)." }

        try visit.runSync("Ada")
        try visit.runSync("Charles")
        #expect(visits.get() == 2)
        #expect(try greeting.runSync("") == "The first was Ada.")
    }
}
