// The code of the article on running at once.

import FunctionalCore
import TestSupport
import Testing

private struct Server: Sendable {
    var cached = "old"
    var page: @Sendable (String) async throws -> String
}

private struct Request: Sendable {
    let cancel: @Sendable () -> Void
}

private struct Locator: Sendable {
    let request: @Sendable (@escaping @Sendable (Result<String, any Error>) -> Void) -> Request
}

private struct Bank: Sendable {
    let log = Log()
}

@Suite("The article on running at once", .timeLimit(.minutes(10)))
struct RunningAtOnceExampleTests {
    @Test func twoAndMany() async throws {
        let server = Server { path in "page \(path)" }

        //@block FunctionalCore/RunningAtOnce let load

        #expect(try await soonest.run(server) == "page /")
        #expect(try await inTime.run(server) == "page /")
        #expect((page, number) == ("page /", 7))
        #expect(pages == ["page /a", "page /b", "page /c"])
    }

    @Test func callbacks() async throws {
        //@block FunctionalCore/RunningAtOnce let location
        let locator = Locator { done in
            done(.success("here"))
            return Request {}
        }
        #expect(try await location.run(locator) == "here")
    }

    @Test func regions() async throws {
        let step: @Sendable (String) -> EnvIO<Bank, any Error, String> = { name in
            EnvIO { bank in
                bank.log.append(name)
                return name
            }
        }
        let withdraw = step("withdraw")
        let confirm = step("confirm").followed(by: EnvIO<Bank, any Error, String>.cancelled)
        let putBack: @Sendable (String) -> EnvIO<Bank, any Error, Void> = { _ in step("put back").void }
        let deposit: @Sendable (String) -> EnvIO<Bank, any Error, String> = { _ in step("deposit") }

        //@block FunctionalCore/RunningAtOnce let transfer

        let bank = Bank()
        guard case .cancelled = await transfer.outcome(bank) else {
            Issue.record("The program was not cancelled.")
            return
        }
        #expect(bank.log.lines == ["withdraw", "confirm", "put back"])
    }
}
