import Dispatcher
import TestSupport
import Testing

private struct Profile: Equatable, Sendable {
    var name = "Ada"
}

private enum ProfileInput: Sendable { case rename(String) }

@Suite("Components and scopes of a constant", .timeLimit(.minutes(10)))
struct ComponentConstantTests {
    @Test func aConstantComponentIgnoresInputs() async {
        let component = Component<Profile, ProfileInput>.constant(Profile())
        let names = Log()
        component.observe { profile in names.append(profile.name) }

        await component.send(.rename("Grace")).finish()

        #expect(component.state == Profile())
        #expect(names.values == ["Ada"])
    }

    @MainActor
    @Test func aConstantComponentNotifiesNoTracking() {
        let component = Component<Profile, ProfileInput>.constant(Profile())
        let tracking = Tracking { component.state }

        component.send(.rename("Grace"))

        #expect(tracking.notifications == 0)
    }

    @Test func partsOfAConstantComponentAreConstant() {
        let component = Component<Profile, ProfileInput>.constant(Profile())
        let name = component.scope(state: \.name, input: ProfileInput.rename)

        name.send("Grace")

        #expect(name.state == "Ada")
    }

    @Test func aConstantScopeIgnoresInputs() async throws {
        let scope = Scope<Profile, ProfileInput>.constant(Profile())
        let names = Log()
        scope.observe { profile in names.append(profile.name) }

        await scope.send(.rename("Grace")).finish()

        #expect(scope.state == Profile())
        #expect(names.values == ["Ada"])
    }
}
