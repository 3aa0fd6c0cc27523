import Loop
import Testing

@Suite(.timeLimit(.minutes(10))) struct NextTests {
    typealias Answer = Next<Int, Int>

    @Test("109. An answer has a model and effects, either, or neither")
    func parts() {
        #expect(Answer.next(3).model == 3)
        #expect(Answer.next(3).effects.isEmpty)
        #expect(Answer.next(3, effects: [1, 2]).model == 3)
        #expect(Answer.next(3, effects: [1, 2]).effects == [1, 2])
        #expect(Answer.dispatchEffects([1, 2]).model == nil)
        #expect(Answer.dispatchEffects([1, 2]).effects == [1, 2])
        #expect(Answer.noChange.model == nil)
        #expect(Answer.noChange.effects.isEmpty)
    }

    @Test("109. Answers are equal if their models and their effects in order are equal")
    func equality() {
        #expect(Answer.next(3, effects: [1, 2]) == .next(3, effects: [1, 2]))
        #expect(Answer.next(3, effects: [1, 2]) != .next(3, effects: [2, 1]))
        #expect(Answer.next(3, effects: [1]) != .next(4, effects: [1]))
        #expect(Answer.next(3, effects: [1]) != .dispatchEffects([1]))
        #expect(Answer.dispatchEffects([]) == .noChange)
    }

    @Test("109. The description of an answer has its model and its effects")
    func description() {
        #expect("\(Answer.next(3, effects: [1]))" == "(3, [1])")
        #expect("\(Answer.dispatchEffects([1]))" == "(nil, [1])")
        #expect("\(Next<String, String>.next("a", effects: ["b"]))" == #"("a", ["b"])"#)
        #expect("\(Next<Int?, Int>.next(nil))" == "(nil, [])")
    }

    @Test("109. A First is compared and described like an answer")
    func first() {
        #expect(First<Int, Int>(model: 3) == First(model: 3, effects: []))
        #expect(First(model: 3, effects: [1, 2]) != First(model: 3, effects: [2, 1]))
        #expect("\(First(model: "a", effects: [1]))" == #"("a", [1])"#)
    }
}
