// The code of the page on Optics.

import FunctionalCore
import Optics
import Testing

@Suite("The page on Optics", .timeLimit(.minutes(10)))
struct OpticsExampleTests {
    //@block Optics/Optics enum Payment

    @Test func aShop() async throws {
        //@block Optics/Optics let orders

        #expect(count == 2)
        #expect(closed == Shop(name: "Tea and cake"))

        //@block Optics/Optics let card

        #expect(number == "12345678")
        #expect(!isCash)

        //@block Optics/Optics let invoice

        #expect(invoice.extract(.invoice(address: "Oslo")) == "Oslo")

        //@block Optics/Optics let second

        #expect(secondNumber == "12345678")
        #expect(ninth == nil)

        //@block Optics/Optics let text

        #expect(address == "Oslo")

        //@block Optics/Optics shop.orders[0].lines

        #expect(total == 700)
        #expect(prices.getAll(shop) == [450, 180])
        #expect(!isFree)

        //@block Optics/Optics let inEuros

        #expect(prices.getAll(converted) == [900, 360])
        #expect(converted == again)

        //@block Optics/Optics let totals

        #expect(largest == 450)
        #expect(ids == [2])
        #expect(products == ["Tea": [450], "Cake": [180]])

        //@block Optics/Optics struct Price

        #expect(first == Price(cents: 450))

        //@block Optics/Optics let removeAll

        #expect(removed == 2)
        #expect(shop.orders.isEmpty)
    }
}
