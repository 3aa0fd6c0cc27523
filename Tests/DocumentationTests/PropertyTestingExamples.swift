// The code of the page on PropertyTesting.

import PropertyTesting
import Testing

struct Account: Equatable, Sendable {
    var name: String
    var balance: Int
}

let account = Gen.zip(Gen.string, Gen.int(in: 0...1_000)).map { name, balance in
    Account(name: name, balance: balance)
}

@Suite("The page on PropertyTesting", .timeLimit(.minutes(10)))
struct PropertyTestingExampleTests {
    @Test func sortingKeepsEveryElement() async {
        await forAll(Gen.int.array()) { numbers in
            #expect(numbers.sorted().count == numbers.count)
        }
    }

    @Test(.replay("t6av1qkxm5v8-5")) func theCaseThatFailedYesterday() async {
        await forAll(Gen.int.array()) { numbers in
            #expect(numbers.sorted().sorted() == numbers.sorted())
        }
    }

    @Test(.cases(1_000)) func manyCases() async {
        await forAll(Gen.int, Gen.int) { a, b in #expect(a + b == b + a) }
    }

    @Test func accounts() async {
        await forAll(account) { account in #expect((0...1_000).contains(account.balance)) }
    }

    @Test func aCounterLosesAnUpdate() async {
        actor Counter {
            private var count = 0

            func increment() async -> Int {
                let before = count
                await Task.yield()
                count = before + 1
                return count
            }
        }

        let counter = StatefulProperty<Void, Int, Counter, Int>(
            model: 0,
            system: { Counter() },
            expected: { _, count in
                count += 1
                return count
            },
            actual: { _, counter in await counter.increment() }
        )

        let found = await counter.falsify(interleaved: Gen.always(()))
        // No sequential order of the commands returns [1] and [1].
        #expect(found?.message == "No sequential order of the commands returns [1] and [1].")
    }
}
