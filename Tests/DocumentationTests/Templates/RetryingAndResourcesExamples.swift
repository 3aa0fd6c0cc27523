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

        //@block FunctionalCore/RetryingAndResources let patient

        //@block FunctionalCore/RetryingAndResources let saved

        //@block FunctionalCore/RetryingAndResources let finished

        // Neither waits here: the second attempts of these would.
        _ = (page, saved)
        #expect(try finished.runSync() == 100)
        #expect(try download.retry(.recurs(1)).runSync() == 2)

        func delays() -> [Duration] {
            //@block FunctionalCore/RetryingAndResources Schedule<Int>.fibonacci(.seconds(1)).capped(at
        }
        #expect(delays() == [.seconds(1), .seconds(1), .seconds(2), .seconds(3), .seconds(4)])
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

        //@block FunctionalCore/RetryingAndResources let connection

        let network = Network()
        #expect(try await count.run(network) == 2)
        #expect(network.log.lines == ["connect", "lock", "unlock", "close"])
    }

    @Test func shared() throws {
        //@block FunctionalCore/RetryingAndResources let visits

        try visit.runSync("Ada")
        try visit.runSync("Charles")
        #expect(visits.get() == 2)
        #expect(try greeting.runSync("") == "The first was Ada.")
    }
}
