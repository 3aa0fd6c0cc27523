import Dispatch
import Loop
import Testing

/// The queue on which a controller's loops run.
@Suite("Loop queue", .timeLimit(.minutes(10)))
struct LoopQueueTests {
    @Test("Global queues are recognized by their labels, since Darwin traps if they are marked")
    func globalQueues() {
        for qos in [DispatchQoS.QoSClass.background, .utility, .default, .userInitiated, .userInteractive] {
            #expect(isGlobal(.global(qos: qos)))
        }
        #expect(!isGlobal(.main))
        #expect(!isGlobal(DispatchQueue(label: "com.example")))
    }
}
