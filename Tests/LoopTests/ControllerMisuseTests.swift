import Dispatch
import Loop
import TestSupport
import Testing

/// Programmer errors with a controller trap with a message that says how to fix them.
@Suite(.timeLimit(.minutes(10))) struct ControllerMisuseTests {
    /// Each mistake with what the message says of the controller.
    enum Mistake: String, CaseIterable, Codable {
        case startingTwice = "was started while running. To fix, call stop() first, or use startIfStopped()."
        case stoppingFirst = "was stopped while not running. To fix, call start() first, or use stopIfRunning()."
        case stoppingTwice = "was stopped while not running."
        case connectingWhileRunning = "was given a view while running. To fix, call stop() first."
        case disconnectingWhileRunning = "was asked to disconnect a view while running. To fix, call stop() first."
        case replacingWhileRunning =
            "was given another model while running. To fix, call stop() first, or send an event."
        case disconnectingNothing =
            "was asked to disconnect its only view, but has 0 views. To fix, connect a view first."
        case disconnectingWithoutSayingWhich =
            "was asked to disconnect its only view, but has 2 views. To fix, use disconnectView(id:)."
        case disconnectingTwice =
            "was asked to disconnect a view that it does not have. To fix, disconnect each view once."
        case keepingNoNewModel = "was given a view that buffers 0 models. To fix, let it buffer at least 1."
        case keepingNoOldModel = "was given a view that buffers -1 models. To fix, let it buffer at least 1."
        case startingInUpdate = "was started while running. To fix, "
        case readingInUpdate =
            "was asked for its model in its own update function. To fix, use the model that the update function is given"
        case replacingInUpdate = "was given another model while running. To fix, "

        func make(with controller: Numbers.Controller) {
            func inUpdate(_ body: @escaping @Sendable () -> Void) {
                controller.start()
                let isDone = DispatchSemaphore(value: 0)
                controller.dispatchEvent(
                    .callInUpdate {
                        body()
                        isDone.signal()
                    })
                isDone.wait()
            }
            switch self {
            case .startingTwice: for _ in 0..<2 { controller.start() }
            case .stoppingFirst: controller.stop()
            case .stoppingTwice:
                controller.start()
                for _ in 0..<2 { controller.stop() }
            case .connectingWhileRunning:
                controller.start()
                controller.connectView(Screen())
            case .disconnectingWhileRunning:
                controller.connectView(Screen())
                controller.start()
                controller.disconnectView()
            case .replacingWhileRunning:
                controller.start()
                controller.replaceModel([1])
            case .disconnectingNothing: controller.disconnectView()
            case .disconnectingWithoutSayingWhich:
                for _ in 0..<2 { controller.connectView(Screen()) }
                controller.disconnectView()
            case .disconnectingTwice:
                let id = controller.connectView(Screen())
                for _ in 0..<2 { controller.disconnectView(id: id) }
            case .keepingNoNewModel: controller.connectView(Screen(), buffering: .bufferingNewest(0))
            case .keepingNoOldModel: controller.connectView(Screen(), buffering: .bufferingOldest(-1))
            case .startingInUpdate: inUpdate { controller.start() }
            case .readingInUpdate: inUpdate { _ = controller.model }
            case .replacingInUpdate: inUpdate { controller.replaceModel([]) }
            }
        }
    }

    @Test(
        "87–89, 107. Wrong uses of a controller trap with a message that says how to fix them", .promptly,
        arguments: Mistake.allCases) func trap(_ mistake: Mistake) async throws
    {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
            mistake.make(with: Numbers.controller())
        }
        let message = result.standardErrorText
        #expect(message.contains("MobiusController<Array<Int>, Event, Effect> \(mistake.rawValue)"))
        // The message names the line of the error.
        if mistake == .connectingWhileRunning { #expect(message.contains("LoopTests/ControllerMisuseTests.swift:")) }
    }
}
