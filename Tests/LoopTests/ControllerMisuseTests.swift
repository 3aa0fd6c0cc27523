import Dispatch
import Loop
import TestSupport
import Testing

/// Programmer errors with a controller trap with a message that says how to fix them.
@Suite(.timeLimit(.minutes(10))) struct ControllerMisuseTests {
    private static let name = "MobiusController<Array<Int>, Event, Effect>"

    private func message(of result: ExitTest.Result?) throws -> String {
        try #require(result).standardErrorText
    }

    @Test("87. A second start traps", .promptly)
    func startingTwice() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.start()
            controller.start()
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was started while running. To fix, call stop() first, or use startIfStopped()."))
    }

    @Test("87. A stop before the first start traps", .promptly)
    func stoppingFirst() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Numbers.controller().stop()
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was stopped while not running. To fix, call start() first, or use stopIfRunning()."))
    }

    @Test("87. A second stop traps", .promptly)
    func stoppingTwice() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.start()
            controller.stop()
            controller.stop()
        }
        #expect(try message(of: result).contains("\(Self.name) was stopped while not running."))
    }

    @Test("88. Connecting a view while running traps", .promptly)
    func connectingWhileRunning() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.start()
            controller.connectView(Screen())
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was given a view while running. To fix, call stop() first."))
        // The message names the line of the error.
        #expect(try message(of: result).contains("LoopTests/ControllerMisuseTests.swift:"))
    }

    @Test("88. Disconnecting a view while running traps", .promptly)
    func disconnectingWhileRunning() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.connectView(Screen())
            controller.start()
            controller.disconnectView()
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was asked to disconnect a view while running. To fix, call stop() first."))
    }

    @Test("88. Replacing the model while running traps", .promptly)
    func replacingWhileRunning() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.start()
            controller.replaceModel([1])
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was given another model while running. To fix, call stop() first, or send an event."
            ))
    }

    @Test("89. Disconnecting the only view of a controller without views traps", .promptly)
    func disconnectingNothing() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Numbers.controller().disconnectView()
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was asked to disconnect its only view, but has 0 views. To fix, connect a view first."))
    }

    @Test("89. Disconnecting the only view of a controller with several views traps", .promptly)
    func disconnectingWithoutSayingWhich() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            controller.connectView(Screen())
            controller.connectView(Screen())
            controller.disconnectView()
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was asked to disconnect its only view, but has 2 views. To fix, use disconnectView(id:).")
        )
    }

    @Test("89. Disconnecting a view that is not connected traps", .promptly)
    func disconnectingAStranger() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let controller = Numbers.controller()
            let id = controller.connectView(Screen())
            controller.disconnectView(id: id)
            controller.disconnectView(id: id)
        }
        #expect(
            try message(of: result).contains(
                """
                \(Self.name) was asked to disconnect a view that it does not have. \
                To fix, disconnect each view once.
                """))
    }

    @Test(.promptly) func aViewKeepsAtLeastOneModel() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Numbers.controller().connectView(Screen(), buffering: .newest(0))
        }
        #expect(
            try message(of: result).contains(
                "\(Self.name) was given a view that buffers 0 models. To fix, let it buffer at least 1."))
    }

    /// Calls `body` in the controller's own update function.
    private static func inUpdate(_ body: @escaping @Sendable (Numbers.Controller) -> Void) {
        let port = Port<Numbers.Event>()
        let controller = Numbers.controller(Numbers.builder().withEventSource(PortSource(port: port)))
        controller.start()
        port.send(.callInUpdate { body(controller) })
        port.settle()
    }

    @Test("107. An update function that starts its controller traps", .promptly)
    func startingInUpdate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.inUpdate { $0.start() }
        }
        #expect(try message(of: result).contains("\(Self.name) was started while running. To fix, "))
    }

    @Test("107. An update function that reads its controller's model traps", .promptly)
    func readingInUpdate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.inUpdate { _ = $0.model }
        }
        #expect(
            try message(of: result).contains(
                """
                \(Self.name) was asked for its model in its own update function. \
                To fix, use the model that the update function is given
                """)
        )
    }

    @Test("107. An update function that replaces its controller's model traps", .promptly)
    func replacingInUpdate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.inUpdate { $0.replaceModel([]) }
        }
        #expect(try message(of: result).contains("\(Self.name) was given another model while running. To fix, "))
    }
}
