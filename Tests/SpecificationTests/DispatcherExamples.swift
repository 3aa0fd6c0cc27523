// swift-format-ignore-file

// The code blocks of the specification's page on dispatchers, unchanged and in its order. The types that the
// page leaves out are in `OmittedTypes.swift`.

import Dispatcher
import Foundation
import FunctionalCore
import Optics

enum StepperInput {
case tapDecrement
case tapIncrement
}

typealias StepperDispatcher = StateDispatcher<Any, Int, StepperInput>

let stepperDispatcher = StepperDispatcher.pure { input in
switch input {
case .tapDecrement:
return .modify { count in count - 1 }^
case .tapIncrement:
return .modify { count in count + 1 }^
}
}

protocol Randomness {
func getInt<E>(in range: ClosedRange<Int>) -> EnvIO<E, Error, Int>
}

enum DieInput {
case roll
}

struct Die {
let number: Int
}

typealias DieDispatcher = StateDispatcher<Randomness, Die, DieInput>

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
protocol Network {
func load<E>() -> EnvIO<E, Error, Data>
}

// State
enum ScreenState {
case loading
case loaded(Data)
}

// Input
enum ScreenInput {
case fetchData
}

// Dispatcher
typealias ScreenDispatcher = StateDispatcher<Network, ScreenState, ScreenInput>

func showLoading() -> EnvIO<Network, Error, State<ScreenState, Void>> {
EnvIO.pure(.set(.loading)^)^
}

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

let screenDispatcher = ScreenDispatcher.workflow { input in
switch input {
case .fetchData:
return [
showLoading(),
showLoadedData()
]
}
}

struct Dependencies {
let network: Network
let database: Database
}

struct ParentState {
let screen: ScreenState
let other: OtherState
}

enum ParentInput {
case screen(ScreenInput)
case other(OtherInput)
}

typealias ParentDispatcher = StateDispatcher<Dependencies, ParentState, ParentInput>

let screenLens = Lens<ParentState, ScreenState>(
get: { parent in parent.screen },
set: { parent, newScreen in ParentState(screen: newScreen, other: parent.other) }
)

extension ParentInput: AutoPrism {}

let screenPrism = ParentInput.prism(for: ParentInput.screen)

let widenScreenDispatcher: ParentDispatcher = screenDispatcher.widen(
transformEnvironment: { dependencies in dependencies.network },
transformState: screenLens,
transformInput: screenPrism
)

let appDispatcher = parentDispatcher.combine(widenScreenDispatcher)
