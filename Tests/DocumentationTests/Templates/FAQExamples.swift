// The code of the questions and answers.

import Dispatcher
import FunctionalCore
import TestSupport
import Testing

@Suite("Questions and answers", .timeLimit(.minutes(10)))
struct FAQExampleTests {
    //@block FunctionalArchitecture/FAQ struct Cart

    @Test func anActionReadsTheState() async {
        let ordered = Record<[String]>()
        let component = makeCart { items in ordered.append(items) }
        component.send(.add("tea"))
        await component.send(.order).finish()
        #expect(ordered.values == [["tea"]])
        #expect(component.state == Cart(items: ["tea"], isOrdered: true))
    }

    @Test func aCallbackBecomesAProgram() async throws {
        //@block FunctionalArchitecture/FAQ struct Scanner

        let scanner = Scanner(
            scan: { done in
                done("4711")
                return 1
            },
            stop: { _ in })
        #expect(try await scan.run(scanner) == "4711")

        let silent = Scanner(scan: { _ in 2 }, stop: { _ in })
        let running = Task { await scan.outcome(silent).value }
        running.cancel()
        #expect(await running.value == nil)
    }
}
