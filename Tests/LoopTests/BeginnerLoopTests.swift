import Loop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BeginnerLoopTests {
    @Test("118. A beginner loop computes a model for each event and notifies its observers")
    func folds() {
        let loop = Mobius.beginnerLoop { (model: String, event: Int) in "\(model)\(event)" }.start(from: "")
        let models = Record<String>()
        loop.addObserver { models.append($0) }
        for event in 1...3 { loop.dispatchEvent(event) }
        #expect(models.values == ["", "1", "12", "123"])
        #expect(loop.latestModel == "123")
    }
}
