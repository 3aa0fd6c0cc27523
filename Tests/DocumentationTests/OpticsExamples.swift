// The code of the page on Optics.

import FunctionalCore
import Optics
import Testing

@Suite("The page on Optics", .timeLimit(.minutes(10)))
struct OpticsExampleTests {
    enum Payment: Equatable, AutoPrism {
        case card(number: String)
        case invoice(address: String)
        case cash
    }

    struct Line: Equatable {
        var product: String
        var cents: Int
    }

    struct Order: Equatable, Identifiable {
        let id: Int
        var lines: [Line] = []
        var note: String?
        var payment = Payment.cash
        var total: Int { lines.reduce(0) { $0 + $1.cents } }
    }

    struct Shop: Equatable {
        var name: String
        var orders: [Order] = []
    }

    struct Rates: Sendable {
        var euros: @Sendable (_ cents: Int) async throws -> Int
    }

    @Test func aShop() async throws {
        let orders = Lens(\Shop.orders)

        var shop = Shop(name: "Tea and cake", orders: [Order(id: 1)])
        orders.modify(&shop) { $0.append(Order(id: 2)) }
        let count = orders.get(shop).count  // 2
        let closed = orders.setting(shop, [])  // a copy of the shop, without orders

        #expect(count == 2)
        #expect(closed == Shop(name: "Tea and cake"))

        let card = Payment.prism(for: Payment.card)  // Prism<Payment, String>
        let cash = Payment.prism(for: Payment.cash)  // Prism<Payment, Void>

        var payment = card.embed("1234")  // Payment.card(number: "1234")
        card.modify(&payment) { $0 += "5678" }
        let number = card.extract(payment)  // "12345678"
        let isCash = cash.matches(payment)  // false

        #expect(number == "12345678")
        #expect(!isCash)

        let invoice = Prism(Payment.invoice) { if case .invoice(let address) = $0 { address } else { nil } }

        #expect(invoice.extract(.invoice(address: "Oslo")) == "Oslo")

        let second = orders.element(id: 2)  // Affine<Shop, Order>
        let cardNumber = second.payment.appending(card)  // Affine<Shop, String>

        second.payment.set(&shop, .card(number: "1234"))
        cardNumber.modify(&shop) { $0 += "5678" }
        let secondNumber = cardNumber.extract(shop)  // "12345678"
        let ninth = orders.element(id: 9).extract(shop)  // nil

        #expect(secondNumber == "12345678")
        #expect(ninth == nil)

        let text = card.orElse(invoice)  // Affine<Payment, String>
        let address = text.extract(.invoice(address: "Oslo"))  // "Oslo"

        #expect(address == "Oslo")

        shop.orders[0].lines = [Line(product: "Tea", cents: 500)]
        shop.orders[1].lines = [Line(product: "Cake", cents: 200)]

        let prices = orders.each.lines.each.cents  // Traversal<Shop, Int>

        let total = prices.getAll(shop).reduce(0, +)  // 700
        prices.modify(&shop) { $0 -= $0 / 10 }  // 10 percent off
        let isFree = prices.allSatisfy(shop) { $0 == 0 }  // false

        #expect(total == 700)
        #expect(prices.getAll(shop) == [450, 180])
        #expect(!isFree)

        let inEuros = prices.traverse(shop) { cents in
            EnvIO<Rates, any Error, Int> { rates in try await rates.euros(cents) }
        }
        let rates = Rates { $0 * 2 }
        let converted = try await inEuros.run(rates)

        let again = try await prices.traverse(shop) { cents in try await rates.euros(cents) }

        #expect(prices.getAll(converted) == [900, 360])
        #expect(converted == again)

        let totals = orders.each.asFold.total  // Fold<Shop, Int>
        let paid = orders.each.filter { $0.payment != .cash }  // Fold<Shop, Order>

        let largest = totals.reduce(shop, into: 0) { $0 = max($0, $1) }  // 450
        let ids = paid.id.getAll(shop)  // [2]
        let products = orders.each.lines.each.foldMap(shop) { [$0.product: [$0.cents]] }  // by product

        #expect(largest == 450)
        #expect(ids == [2])
        #expect(products == ["Tea": [450], "Cake": [180]])

        struct Price: Equatable { var cents: Int }

        let price = Iso<Int, Price>(get: { Price(cents: $0) }, reverseGet: { $0.cents })
        let first = prices.appending(price).first(shop)  // Price(cents: 450)

        #expect(first == Price(cents: 450))

        let removeAll = State<[Order], Int>.update { orders in
            defer { orders.removeAll() }
            return orders.count
        }
        let removed = removeAll.focus(orders).run(&shop)  // 2

        #expect(removed == 2)
        #expect(shop.orders.isEmpty)
    }
}
