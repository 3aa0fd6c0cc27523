import FunctionalArchitecture
import TestSupport
import Testing
import VirtualTime

/// Chains of messages in which each message causes the next, in all front doors.
@Suite("Chains of messages", .timeLimit(.minutes(10)))
struct ChainTests {
    /// What answers the messages of a front door.
    enum Sender: CaseIterable {
        case componentObserver, componentAction, componentSubscription
        case storeObserver, storeEffect
        case loopObserver, loopHandler

        var name: String {
            switch self {
            case .componentObserver, .componentSubscription: "An observer of Component<Numbers, Int>"
            case .componentAction: "An action of Component<Numbers, Int>"
            case .storeObserver: "An observer or a middleware"
            case .storeEffect: "The effect of A.swift:1"
            case .loopObserver: "An observer of MobiusLoop<Numbers, Int, Int>"
            case .loopHandler: "The effect handler of MobiusLoop<Numbers, Int, Int>"
            }
        }
    }

    /// Opens a front door whose sender answers each number with other numbers.
    private static func frontDoor(
        _ sender: Sender, maximumChain: Int, _ scheduler: VirtualScheduler, answer: @escaping @Sendable (Int) -> [Int]
    ) -> FrontDoor {
        func answering(_ frontDoor: FrontDoor) -> FrontDoor {
            frontDoor.observe { frontDoor, numbers in
                if numbers.last > 0 { for number in answer(numbers.last) { frontDoor.send(number) } }
            }
            return frontDoor
        }
        switch sender {
        case .componentObserver: return answering(FrontDoor(scheduler, maximumChain: maximumChain))
        case .componentAction:
            struct Link: Sendable { weak var frontDoor: FrontDoor? }
            let link = Guarded(Link())
            let frontDoor = FrontDoor(
                scheduler, maximumChain: maximumChain,
                .effectful { sent in
                    EnvIO { _ in
                        for number in answer(sent) { link.value.frontDoor?.send(number) }
                        return .update { _ in }
                    }
                })
            link.value.frontDoor = frontDoor
            return frontDoor
        case .componentSubscription:
            let feed = Guarded<@Sendable (Int) -> Void>({ _ in })
            let subscription = Subscription<Void, Int>.run(id: 1) { _, send in
                feed.value = { send($0) }
                try await scheduler.clock.sleep(for: .seconds(1))
            }
            let frontDoor = FrontDoor(scheduler, maximumChain: maximumChain, subscriptions: [subscription])
            scheduler.drain()
            frontDoor.observe { _, numbers in
                if numbers.last > 0 { for number in answer(numbers.last) { feed.value(number) } }
            }
            return frontDoor
        case .storeObserver: return answering(FrontDoor(scheduler, maximumChain: maximumChain, effect: { _ in .empty }))
        case .storeEffect:
            return FrontDoor(scheduler, maximumChain: maximumChain) { sent in
                sent.flatMap { sent in ActionStream.sequence(answer(sent.number).map(Sent.init)) }
            }
        case .loopObserver: return answering(FrontDoor(scheduler, maximumChain: maximumChain) { $0.to { _ in } })
        case .loopHandler:
            return FrontDoor(scheduler, maximumChain: maximumChain) { route in
                route.to { (sent: Int, callback: EffectCallback<Int>) in
                    for number in answer(sent) { callback.send(number) }
                    callback.end()
                    return EmptyDisposable()
                }
            }
        }
    }

    @Test(
        "An endless chain is stopped and written to standard error, a chain of the maximum length is not",
        .promptly)
    func endless() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for sender in Sender.allCases {
                for maximum in [0, 3, 100] {
                    let scheduler = VirtualScheduler()
                    let endless = Self.frontDoor(sender, maximumChain: maximum, scheduler) { [$0 + 1] }
                    // The number, its first answer, and those that repeat the sender. The front door goes on.
                    for round in 1...2 {
                        endless.send(1)
                        precondition(endless.numbers.last == maximum + 2, "\(sender), \(endless.numbers)")
                        precondition(endless.numbers.count == round * (maximum + 2), "\(sender), \(endless.numbers)")
                    }
                    endless.cancel()
                    let long = Self.frontDoor(sender, maximumChain: maximum, scheduler) {
                        $0 < maximum + 2 ? [$0 + 1] : []
                    }
                    for round in 1...3 {
                        long.send(1)
                        precondition(long.numbers.last == maximum + 2, "\(sender), \(long.numbers)")
                        precondition(long.numbers.count == round * (maximum + 2), "\(sender), \(long.numbers)")
                    }
                    long.cancel()
                    scheduler.advance(by: .seconds(1))
                }
            }
        }
        let lines = result.standardErrorText.split(separator: "\n").filter { $0.contains("without end") }
        var expected: [String] = []
        for sender in Sender.allCases {
            for maximum in [0, 3, 100] {
                let isStore = sender == .storeEffect || sender == .storeObserver
                let causes = (3...maximum + 3).suffix(16).map { isStore ? "Sent" : "\($0)" }
                let text = """
                    \(sender.name) answers its own messages without end, and was stopped after \(maximum) of them: \
                    \(causes.joined(separator: " → ")). To fix, let it send only when something has changed, or raise \
                    the maximum chain if a chain of this length is intended.
                    """
                expected += [text, text]
            }
        }
        #expect(lines.count == expected.count)
        for (line, text) in zip(lines, expected) { #expect(line.contains(text)) }
    }

    @Test("A single large answer is not counted, of an action also within a short chain", arguments: Sender.allCases)
    func largeAnswer(sender: Sender) {
        let scheduler = VirtualScheduler()
        let first = sender == .componentAction ? 2 : 1
        let frontDoor = Self.frontDoor(sender, maximumChain: 10, scheduler) { number in
            number == first ? Array(3...100_002) : number == 1 ? [2] : []
        }
        frontDoor.send(1)
        #expect(frontDoor.numbers.last == 100_002)
        #expect(frontDoor.numbers.count == 100_000 + first)
        frontDoor.cancel()
        scheduler.advance(by: .seconds(1))
    }
}
