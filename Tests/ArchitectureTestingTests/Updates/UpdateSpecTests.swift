import ArchitectureTesting
import Loop
import Testing

@Suite(.timeLimit(.minutes(10))) struct UpdateSpecTests {
    enum Event {
        case add(Int)
        case ignore, save
    }
    enum Effect: Equatable { case save(Int) }

    private let spec = UpdateSpec<Int, Event, Effect> { model, event in
        switch event {
        case .add(let number): .next(model + number)
        case .ignore: .noChange
        case .save: .dispatchEffects([.save(model)])
        }
    }

    @Test("114. Each event updates the model that the event before it left")
    func eventsAreFolded() {
        let result = spec.given(1).when(.add(2), .add(3), .save).result
        #expect(result.lastNext == .dispatchEffects([.save(6)]))
    }

    @Test("114. The result has the last model of an answer, or else the given model")
    func modelIsTheLastKnown() {
        #expect(spec.given(1).when(.add(2), .ignore, .save).result.model == 3)
        #expect(spec.given(1).when(.ignore).result == .init(model: 1, lastNext: .noChange))
    }

    @Test("114. Each assertion is given the result")
    func assertIsCalled() {
        var results: [UpdateSpec<Int, Event, Effect>.Result] = []
        spec.given(1).when(.add(2)).then { results.append($0) }.then { results.append($0) }
        #expect(results == [.init(model: 3, lastNext: .next(3)), .init(model: 3, lastNext: .next(3))])
    }

    @Test("114. A specification can test an Update or an initiate function")
    func updatesAndInitiate() {
        let update = Update<[Int], Int, Never>(inPlace: { numbers, number in
            numbers.append(number)
            return []
        })
        #expect(UpdateSpec(update).given([]).when(1, 2).result.model == [1, 2])

        let initiate: Initiate<Int, String> = { First(model: $0 + 1, effects: ["begin"]) }
        InitSpec(initiate).when(1)
            .then(assertThatFirst(hasModel(2), hasExactlyEffects(["begin"])))
            .then { #expect($0 == First(model: 2, effects: ["begin"])) }
    }
}
