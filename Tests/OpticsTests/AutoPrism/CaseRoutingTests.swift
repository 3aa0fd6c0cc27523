import Optics
import PropertyTesting
import Testing

@Suite("Routing by case", .timeLimit(.minutes(10)))
struct CaseRoutingTests {
    @Test func threeHundredRoutesAreSearchedOncePerCase() {
        var router = Router<Many, Int>()
        for (index, prism) in Many.prisms.enumerated() {
            router.add(prism) { payload in index * 1_000 + payload }
        }
        for round in 1...3 {
            for (index, constructor) in Many.constructors.enumerated() {
                #expect(router(constructor(round)) == [index * 1_000 + round])
            }
            #expect(router(.none) == [])
        }
        #expect(router.asked == 301 * 300)
        #expect(router.tried == 3 * 300)
    }

    @Test func tagsFollowTheOrderOfTheCases() throws {
        let values = Many.constructors.map { $0(1) } + [.none]
        let first = try #require(Many.prisms[0].routing)
        let last = try #require(Many.prisms[299].routing)

        #expect(first.tagCount == 301 && last.tagCount == 301)
        #expect(values.map(first.tag) == Array(0...300))
        #expect(values.map(last.tag) == Array(0...300))
    }

    @Test func severalRoutesForOneCaseAndWithoutACaseAreTriedInOrder() {
        var router = Router<Screen, String>()
        let closure = Prism(Screen.loading) { if case .loading(let count) = $0 { count } else { nil } }
        let inner = Screen.prism(for: Screen.nested)
        let text = Screen.Inner.prism(for: Screen.Inner.text)
        router.add(Screen.prism(for: Screen.loading)) { "first \($0)" }
        router.add(closure) { "closure \($0)" }
        router.add(Screen.prism(for: Screen.loading)) { "second \($0)" }
        router.add(inner.appending(text)) { "text \($0)" }
        router.add(Screen.prism(for: Screen.idle)) { "idle" }

        #expect(router(.loading(1)) == ["first 1", "closure 1", "second 1"])
        #expect(router(.nested(.number(1))) == [])
        #expect(router(.nested(.text("a"))) == ["text a"])
        #expect(router(.idle) == ["idle"])
        #expect(router(.loaded(Row())) == [])
    }

    @Test func compositionKeepsTheRoutingOfACase() {
        let nested = Screen.prism(for: Screen.nested)
        let text = Screen.Inner.prism(for: Screen.Inner.text)
        let closure = Prism(Screen.nested) { if case .nested(let inner) = $0 { inner } else { nil } }

        #expect(nested.appending(text).routing != nil)
        #expect(nested.appending(Iso<Screen.Inner, Screen.Inner>.identity).routing != nil)
        #expect(closure.routing == nil)
        #expect(closure.appending(text).routing == nil)
        #expect(Iso<Screen, Screen>.identity.appending(nested).routing == nil)
        #expect(Prism<Screen, Screen>.identity.routing == nil)
    }

    /// The routing of a composed prism cannot decide the inner case, but it rejects other outer cases.
    @Test func aTagThatIsNotAcceptedIsNeverAMatch() async {
        let text = Screen.prism(for: Screen.nested).appending(Screen.Inner.prism(for: Screen.Inner.text))
        await forAll(Screen.gen) { screen in
            let routing = try #require(text.routing)
            let accepted = routing.accepts(screen, tag: routing.tag(of: screen))

            #expect(accepted || !text.matches(screen))
            #expect(accepted == (Optic.nested.extract(screen) != nil))
        }
    }
}
