// The code in the comments of the optics that read, and of those that change parts with effects.

import FunctionalCore
import Optics
import Testing

@Suite("Comments of folds and effectful changes", .timeLimit(.minutes(10)))
struct OpticsOperatorsExampleTests {
    struct Shop: Equatable { var orders: [Order] = [] }

    struct Order: Equatable {
        let id: Int
        var isPaid = false
        var cents = 0
        var total: Int { cents }
    }

    struct Interval { var start: Int, end: Int }

    struct Form { var name = "", email = "" }

    struct List { var tasks: [ListTask] = [] }

    struct ListTask { var isDone = false, isArchived = false }

    struct Album: Equatable { var photos: [String] = [] }

    struct Browser { var lastLoad = Result<String, LoadError>.failure(LoadError(message: "offline")) }

    struct LoadError: Error { var message: String }

    struct Company { var warehouses: [Warehouse] = [] }

    struct Warehouse { var stock: [String: [Int]] = [:] }

    enum Payment: Equatable, AutoPrism {
        case invoice(address: String)
        case delivery(address: String)
    }

    @Test func folds() {
        let shop = Shop(orders: [Order(id: 1, cents: 5), Order(id: 2, isPaid: true, cents: 7)])
        let ids = Lens(\Shop.orders).each.appending(Fold(\Order.id))
        let unpaid = Lens(\Shop.orders).each.filter { !$0.isPaid }  // Fold<Shop, Order>
        #expect(unpaid.total.getAll(shop) == [5])
        #expect(ids.getAll(shop) == [1, 2])

        let prices = Lens(\Shop.orders).each.cents
        let total = prices.reduce(shop, into: 0) { $0 += $1 }
        #expect(total == 12)

        let halves = Fold<Interval, Int>(visit: { interval, visit in _ = visit(interval.start) && visit(interval.end) })
        #expect(halves.getAll(Interval(start: 1, end: 2)) == [1, 2])

        let selected: Set = [3, 12]
        #expect(Fold<Set<Int>, Int>.each.contains(selected) { $0 > 9 })

        let warehouses = Lens(\Company.warehouses).each
        let company = Company(warehouses: [
            Warehouse(stock: ["tea": [1]]), Warehouse(stock: ["tea": [2], "cake": [3]]),
        ])
        let stock = warehouses.foldMap(company) { $0.stock }
        #expect(stock == ["tea": [1, 2], "cake": [3]])
    }

    @Test func foldsOfOneWholeAreCombined() {
        let messages = Fold(\Form.nameError).combine(Fold(\Form.emailError)).some()
        #expect(messages.getAll(Form(email: "ann@example.com")) == ["The name is missing."])
    }

    @Test func aConditionIsTestedWithinTheChange() {
        var list = List(tasks: [ListTask(isDone: true), ListTask()])
        let tasks = Lens(\List.tasks).each
        let open = tasks.filter { !$0.isDone }.count(list)
        tasks.modify(&list) { if $0.isDone { $0.isArchived = true } }
        #expect(open == 1)
        #expect(list.tasks.map(\.isArchived) == [true, false])
    }

    @Test func prisms() {
        let address = Payment.prism(for: Payment.invoice).orElse(Payment.prism(for: Payment.delivery))
        #expect(address.extract(.delivery(address: "Oslo")) == "Oslo")

        let page = Lens(\Browser.lastLoad).appending(Prism.success())
        let message = Prism<Result<String, LoadError>, LoadError>.failure().message
        #expect(page.extract(Browser()) == nil)
        #expect(message.extract(Browser().lastLoad) == "offline")

        let quit = Prism.only("q")
        #expect(quit.matches("q"))
    }

    @Test func effectfulChanges() async throws {
        @Sendable func upload(_ photo: String) -> EnvIO<Void, Never, String> { .pure("https://\(photo)") }
        let album = Album(photos: ["a", "b"])
        let synced = Lens(\Album.photos).each.traverse(album) { photo in upload(photo) }
        let atOnce = Lens(\Album.photos).each.parTraverse(album, limit: 4) { photo in upload(photo) }
        #expect(synced.runSync().photos == ["https://a", "https://b"])
        #expect(try await atOnce.run() == synced.runSync())
    }
}

extension OpticsOperatorsExampleTests.Form {
    var nameError: String? { name.isEmpty ? "The name is missing." : nil }
    var emailError: String? { email.isEmpty ? "The email is missing." : nil }
}
