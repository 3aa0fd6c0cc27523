// The code blocks of the specification's page on dispatchers, unchanged and in its order. What the page leaves out is
// in `OmittedTypes.swift`.

import Dispatcher
import Foundation
import FunctionalCore
import Optics

// swift-format-ignore
enum StepperInput {
case tapDecrement
case tapIncrement
}

typealias StepperDispatcher = StateDispatcher<Any, Int, StepperInput>

// swift-format-ignore
let stepperDispatcher = StepperDispatcher.pure { input in
switch input {
case .tapDecrement:
return .modify { count in count - 1 }^
case .tapIncrement:
return .modify { count in count + 1 }^
}
}

// swift-format-ignore
protocol Randomness {
func getInt<E>(in range: ClosedRange<Int>) -> EnvIO<E, Error, Int>
}

// swift-format-ignore
enum DieInput {
case roll
}

// swift-format-ignore
struct Die {
let number: Int
}

typealias DieDispatcher = StateDispatcher<Randomness, Die, DieInput>

// swift-format-ignore
let dieDispatcher = DieDispatcher.effectful { input in
switch input {
case .roll:
return EnvIO.accessM { random in random.getInt(in: 1 ... 6) }
.map { n in
.set(Die(number: n))^
}^
}
}

// Dependencies
// swift-format-ignore
protocol Network {
func load<E>() -> EnvIO<E, Error, Data>
}

// State
// swift-format-ignore
enum ScreenState {
case loading
case loaded(Data)
}

// Input
// swift-format-ignore
enum ScreenInput {
case fetchData
}

// Dispatcher
typealias ScreenDispatcher = StateDispatcher<Network, ScreenState, ScreenInput>

// swift-format-ignore
func showLoading() -> EnvIO<Network, Error, State<ScreenState, Void>> {
EnvIO.pure(.set(.loading)^)^
}

// swift-format-ignore
func showLoadedData() -> EnvIO<Network, Error, State<ScreenState, Void>> {
let network = EnvIO<Network, Error, Network>.var()
let data = EnvIO<Network, Error, Data>.var()
return binding(
continueOn(.global(qos: .background)),
network <- .ask(),
data <- network.get.load(),
yield: .set(.loaded(data.get))^
)^
}

// swift-format-ignore
let screenDispatcher = ScreenDispatcher.workflow { input in
switch input {
case .fetchData:
return [
showLoading(),
showLoadedData()
]
}
}

// swift-format-ignore
struct Dependencies {
let network: Network
let database: Database
}

// swift-format-ignore
struct ParentState {
let screen: ScreenState
let other: OtherState
}

// swift-format-ignore
enum ParentInput {
case screen(ScreenInput)
case other(OtherInput)
}

typealias ParentDispatcher = StateDispatcher<Dependencies, ParentState, ParentInput>

// swift-format-ignore
let screenLens = Lens<ParentState, ScreenState>(
get: { parent in parent.screen },
set: { parent, newScreen in ParentState(screen: newScreen, other: parent.other) }
)

extension ParentInput: AutoPrism {}

let screenPrism = ParentInput.prism(for: ParentInput.screen)

// swift-format-ignore
let widenScreenDispatcher: ParentDispatcher = screenDispatcher.widen(
transformEnvironment: { dependencies in dependencies.network },
transformState: screenLens,
transformInput: screenPrism
)

let appDispatcher = parentDispatcher.combine(widenScreenDispatcher)
