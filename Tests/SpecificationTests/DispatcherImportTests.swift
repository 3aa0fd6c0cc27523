import Dispatcher
import Testing

// No other import of this package: the tests fail to compile if the front door does not suffice.

private struct Person: Equatable, Sendable {
    var name = ""
    var visits = 0
}

private enum PersonInput: AutoPrism, Sendable {
    case renamed(String)
    case visited(times: Int)
}

@Suite("One import of a dispatcher", .timeLimit(.minutes(10)))
struct DispatcherImportTests {
    @Test("A file that imports only Dispatcher widens dispatchers with the prisms of cases, and with lenses")
    func widening() {
        let rename = StateDispatcher<Void, String, String>.pure { name in .set(name) }
        let visit = StateDispatcher<Void, Int, Int>.pure { times in .update { $0 += times } }
        let visits: Lens<Person, Int> = Lens(\.visits)
        let visited: Prism<PersonInput, Int> = PersonInput.prism(for: PersonInput.visited)
        let dispatcher = StateDispatcher<Void, Person, PersonInput>.combine {
            rename.widen(transformState: \.name, transformInput: PersonInput.prism(for: PersonInput.renamed))
            visit.widen(transformState: visits, transformInput: visited)
        }
        let component = Component(initialState: Person(), environment: (), dispatcher: dispatcher)

        component.send(.renamed("Ada"))
        component.send(.visited(times: 2))

        #expect(component.state == Person(name: "Ada", visits: 2))
    }
}
