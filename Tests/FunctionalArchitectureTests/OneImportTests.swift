import FunctionalArchitecture
import Testing

// This target has the settings of a client, and this file imports nothing but this product.

private struct Person: Equatable, Sendable {
    var name = ""
    var visits = 0
}

private enum PersonInput: AutoPrism, Sendable {
    case renamed(String)
    case visited(times: Int)
}

private struct Renamed: Action { let name: String }

@Suite("One import", .timeLimit(.minutes(10)))
struct OneImportTests {
    @Test func aFileUsesProgramsAndStates() async throws {
        let program: EnvIO<Int, any Error, Int> = .pure(1).flatMap { one in EnvIO { two in one + two } }
        let change: State<Person, Void> = .update { $0.visits += 1 }
        var person = Person()

        change.run(&person)

        #expect(try await program.run(2) == 3)
        #expect(person.visits == 1)
    }

    @Test func aFileUsesOptics() {
        let name = Lens(\Person.name)
        let renamed = PersonInput.prism(for: PersonInput.renamed)

        #expect(name.get(Person(name: "Ada")) == "Ada")
        #expect(renamed.extract(.renamed("Ada")) == "Ada")
    }

    @Test func aFileUsesADispatcher() {
        let rename = StateDispatcher<Void, String, String>.pure { name in .set(name) }
        let visit = StateDispatcher<Void, Int, Int>.pure { times in .update { $0 += times } }
        let dispatcher = StateDispatcher<Void, Person, PersonInput>.combine {
            rename.widen(transformState: \.name, transformInput: PersonInput.prism(for: PersonInput.renamed))
            visit.widen(transformState: \.visits, transformInput: PersonInput.prism(for: PersonInput.visited))
        }
        let component = Component(initialState: Person(), environment: (), dispatcher: dispatcher)

        component.send(.renamed("Ada"))
        component.send(.visited(times: 2))

        #expect(component.state == Person(name: "Ada", visits: 2))
    }

    @Test func aFileUsesALoop() {
        let update = Update<Person, PersonInput, Never> { person, input in
            switch input {
            case .renamed(let name): .next(Person(name: name, visits: person.visits))
            case .visited: .noChange
            }
        }
        let handler = EffectRouter<Never, PersonInput>()
        let loop = Mobius.loop(update: update, effectHandler: handler).start(from: Person())

        loop.dispatchEvent(.renamed("Ada"))

        #expect(loop.latestModel.name == "Ada")
    }

    @Test func aFileUsesAStore() {
        let rename: ReducerFn<Person> = on(Renamed.self) { person, action in person.name = action.name }
        let log = Effect.run(on: Renamed.self) { _ in }
        let store = Store(reducer: rename, initialState: Person(), effects: [log])

        store.dispatch(action: Renamed(name: "Ada"))

        #expect(store.select(\.name).value == "Ada")
    }
}
