import Optics
import Testing

struct ScreenState: Equatable { var isLoading = false }
struct OtherState: Equatable { var count = 0 }
enum ScreenInput: Equatable { case fetchData }
enum OtherInput: Equatable { case tap }

struct ParentState: Equatable {
    let screen: ScreenState
    let other: OtherState
}

enum ParentInput: Equatable {
    case screen(ScreenInput)
    case other(OtherInput)
}

let screenLens = Lens<ParentState, ScreenState>(
    get: { parent in parent.screen },
    set: { parent, newScreen in ParentState(screen: newScreen, other: parent.other) }
)

extension ParentInput: AutoPrism {}
let screenPrism = ParentInput.prism(for: ParentInput.screen)

/// The code of the specification compiles unchanged, also as global constants.
@Suite("The specification's optics", .timeLimit(.minutes(10)))
struct SpecificationTests {
    @Test func theLensReadsAndChangesItsPart() {
        let parent = ParentState(screen: ScreenState(), other: OtherState(count: 3))
        let changed = screenLens.modifying(parent) { $0.isLoading = true }

        #expect(changed == ParentState(screen: ScreenState(isLoading: true), other: OtherState(count: 3)))
        #expect(screenLens.get(parent) == ScreenState())
    }

    @Test func thePrismExtractsAndEmbedsItsCase() {
        #expect(screenPrism.extract(.screen(.fetchData)) == .fetchData)
        #expect(screenPrism.extract(.other(.tap)) == nil)
        #expect(screenPrism.embed(.fetchData) == .screen(.fetchData))
    }
}
