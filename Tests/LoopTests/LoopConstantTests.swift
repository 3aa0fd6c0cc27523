import Loop
import TestSupport
import Testing

private enum Event: Sendable { case rename(String) }
private enum Effect: Sendable { case save }

@Suite("Loops and controllers of a constant", .timeLimit(.minutes(10)))
struct LoopConstantTests {
    @Test func aConstantLoopIgnoresEvents() {
        let loop = MobiusLoop<String, Event, Effect>.constant("Ada")
        let names = Log()
        loop.addObserver { name in names.append(name) }

        loop.dispatchEvent(.rename("Grace"))

        #expect(loop.latestModel == "Ada")
        #expect(names.values == ["Ada"])
    }

    @Test func aConstantControllerStartsAndStopsAndIgnoresEvents() async throws {
        let controller = MobiusController<String, Event, Effect>.constant("Ada")
        let names = Log()
        controller.connectView(
            AnyConnectable<String, Event> { consumer in
                consumer(.rename("Grace"))
                return Connection(acceptClosure: { name in names.append(name) }, disposeClosure: {})
            })

        controller.start()
        try await controller.settled()
        await controller.stopAndWait()

        #expect(controller.model == "Ada")
        #expect(Set(names.values).isSubset(of: ["Ada"]))
    }

    @Test func anEventThatIsWrittenIsReadAtOnceUntilTheLoopIsDisposed() {
        let loop = Mobius.beginnerLoop { (_: String, name: String) in name }.start(from: "")

        loop.dispatchUnlessDisposed("Ada")
        #expect(loop.latestModel == "Ada")

        loop.dispose()
        loop.dispatchUnlessDisposed("Grace")
        #expect(loop.latestModel == "Ada")
    }

    @Test func aTransformerReceivesAnEventThatIsWritten() {
        let loop = Mobius.beginnerLoop { (_: String, name: String) in name }
            .withEventConsumerTransformer { consumer in { name in consumer(name.uppercased()) } }
            .start(from: "")

        loop.dispatchUnlessDisposed("Ada")
        #expect(loop.latestModel == "ADA")

        loop.dispose()
        loop.dispatchUnlessDisposed("Grace")
        #expect(loop.latestModel == "ADA")
    }
}
