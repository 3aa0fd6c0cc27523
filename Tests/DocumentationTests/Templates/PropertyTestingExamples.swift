// The code of the page on PropertyTesting.

import PropertyTesting
import Testing

//@block PropertyTesting/PropertyTesting struct Account

@Suite("The page on PropertyTesting", .timeLimit(.minutes(10)))
struct PropertyTestingExampleTests {
    //@block PropertyTesting/PropertyTesting @Test func sortingKeepsEveryElement()

    //@block PropertyTesting/PropertyTesting @Test(.replay("t6av1qkxm5v8-5"))

    //@block PropertyTesting/PropertyTesting @Test(.checkCoverage())

    @Test func accounts() async {
        await forAll(account) { account in #expect((0...1_000).contains(account.balance)) }
    }

    @Test func aCounterLosesAnUpdate() async {
        //@block PropertyTesting/PropertyTesting actor Counter
        #expect(found?.message == "No sequential order of the commands returns [1] and [1].")
    }
}
