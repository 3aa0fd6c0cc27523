import Dispatch
import Loop
import TestSupport
import Testing

@MainActor
@Suite("Loop selections", .timeLimit(.minutes(10)))
struct LoopSelectionTests {
    private func loop() -> MobiusLoop<[Int], Numbers.Event, Numbers.Effect> { Numbers.builder().start(from: []) }

    private func controller() -> Numbers.Controller { Numbers.controller(loopQueue: .global()) }

    @Test("Tracking a value of a loop's model notifies once, when the value differs")
    func loops() {
        let loop = loop()
        let selection = loop.select { $0.count / 2 }
        let trackings = [Tracking { selection.value }, Tracking { loop.select { $0.count / 2 }.value }]
        loop.dispatchEvent(.add(1))
        #expect(trackings.map(\.notifications) == [0, 0])
        loop.dispatchEvent(.add(1))
        #expect(selection.value == 1)
        loop.dispatchEvent(.add(1))
        loop.dispatchEvent(.add(1))
        #expect(trackings.map(\.notifications) == [1, 1])
        loop.dispose()
        #expect(selection.value == 2)
    }

    @Test("Tracking a key path of a model in a view is notified of changes on another thread")
    func otherThreads() async {
        let loop = loop()
        let reader = TrackingReader { loop.select(\.count).value }
        await Task.detached { onThreads(2) { _ in for _ in 0..<100 { loop.dispatchEvent(.add(1)) } } }.value
        await yield { reader.values.last == 200 }
        #expect(reader.values == Array(Set(reader.values)).sorted())
    }

    @Test("Tracking a value of a controller's model notifies of changes across stops and starts")
    func controllers() async {
        let controller = controller()
        let selection = controller.select(\.count)
        let reader = TrackingReader { selection.value }
        func expect(_ count: Int) async {
            await yield { reader.values.last == count }
            #expect(selection.value == count)
        }
        controller.replaceModel([1])
        await expect(1)
        controller.start()
        controller.dispatchEvent(.add(1))
        await expect(2)
        controller.stop()
        controller.replaceModel([7, 7])
        controller.replaceModel([7, 7, 7])
        await expect(3)
        controller.start()
        controller.dispatchEvent(.add(1))
        await expect(4)
        controller.stop()
        #expect(reader.values.first == 0)
    }

    @Test("Tracking a value retains neither the loop nor the controller, and a selection retains its owner")
    func lifetimes() {
        var loop: MobiusLoop<[Int], Numbers.Event, Numbers.Effect>? = loop()
        var controller: Numbers.Controller? = controller()
        weak let weakLoop = loop
        weak let weakController = controller
        let trackings = [Tracking { loop?.select(\.count).value }, Tracking { controller?.select(\.count).value }]
        var selections = [loop?.select(\.count), controller?.select(\.count)]
        (loop, controller) = (nil, nil)
        #expect(weakLoop != nil && weakController != nil)
        #expect(selections.map { $0?.value } == [0, 0])
        selections = []
        #expect(weakLoop == nil && weakController == nil)
        #expect(trackings.map(\.notifications) == [0, 0])
    }
}
