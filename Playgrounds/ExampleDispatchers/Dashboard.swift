import Dispatcher
import FunctionalCore
import Optics
import ResourceLoading

package struct DashboardState: Sendable, Equatable {
    package var stepper = 0
    package var dice = [NumberedDie(id: 1), NumberedDie(id: 2)]
    package var screen = ScreenState.empty

    package init() {}
}

package struct NumberedDie: Sendable, Equatable, Identifiable {
    package let id: Int
    package var die = Die()

    package init(id: Int) {
        self.id = id
    }
}

package enum DashboardInput: Sendable, AutoPrism {
    case stepper(StepperInput)
    case die(id: Int, DieInput)
    case addDie
    case screen(ScreenInput)
}

package struct DashboardEnvironment: Sendable {
    package var randomness: Randomness
    package var loader: ResourceLoader

    package init(randomness: Randomness, loader: ResourceLoader) {
        self.randomness = randomness
        self.loader = loader
    }
}

package typealias DashboardDispatcher = StateDispatcher<DashboardEnvironment, DashboardState, DashboardInput>

/// The composition example: combines the dispatchers of the other three examples, which are independent of each other.
package var dashboardDispatcher: DashboardDispatcher {
    stepper.combine(dice).combine(adding).combine(screen)
}

private var stepper: DashboardDispatcher {
    stepperDispatcher.widen(
        transformEnvironment: { $0 },
        transformState: \.stepper,
        transformInput: DashboardInput.prism(for: DashboardInput.stepper)
    )
}

private var dice: DashboardDispatcher {
    dieDispatcher
        .widen(transformEnvironment: \.randomness).widen(transformState: \NumberedDie.die)
        .forEach(state: Lens(\.dice), id: \.id, input: DashboardInput.prism(for: DashboardInput.die))
}

private var adding: DashboardDispatcher {
    StateDispatcher<DashboardEnvironment, [NumberedDie], Void>
        .pure { _ in .update { dice in dice.append(NumberedDie(id: dice.count + 1)) } }
        .widen(transformState: \.dice, transformInput: DashboardInput.prism(for: DashboardInput.addDie))
}

private var screen: DashboardDispatcher {
    screenDispatcher.widen(
        transformEnvironment: \.loader,
        transformState: \.screen,
        transformInput: DashboardInput.prism(for: DashboardInput.screen)
    )
}
