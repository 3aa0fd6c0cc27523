import Optics
import PropertyTesting
import Testing

@Suite("Routing by case", .timeLimit(.minutes(10)))
struct CaseRoutingTests {
    @Test func tagsFollowTheOrderOfTheCases() throws {
        let values = Many.constructors.map { $0(1) } + [.none]
        let first = try #require(Many.prisms[0].routing)
        let last = try #require(Many.prisms[299].routing)

        #expect(first.tagCount == 301 && last.tagCount == 301)
        #expect(values.map(first.tag) == Array(0...300))
        #expect(values.map(last.tag) == Array(0...300))
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
