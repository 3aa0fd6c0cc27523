// The code of the recipe for a form.

import ArchitectureTesting
import FunctionalCore
import Loop
import TestSupport
import Testing
import VirtualTime

//@block Loop/RecipeForm struct SignUp:

//@block Loop/RecipeForm extension SignUp

//@block Loop/RecipeForm enum SignUpEvent

//@block Loop/RecipeForm struct SignUpServer

@Suite("The recipe for a form", .timeLimit(.minutes(10)))
struct RecipeFormExampleTests {
    //@block Loop/RecipeForm @Test(arguments:

    //@block Loop/RecipeForm @Test func aTakenNameIsShownAndNotSent()

    private static let valid = SignUp(texts: [.name: "ada", .email: "ada@example.org", .password: "12345678"])

    @Test func `a field shows its problem after the user has left it`() {
        #expect(SignUp().shownProblem(in: .name) == nil)
        #expect(signUpUpdate(SignUp(), .left(.name)).model?.shownProblem(in: .name) == "Enter a name.")
    }

    @Test func `a form that is not valid shows all problems, and sends nothing`() {
        let next = signUpUpdate(SignUp(), .submitted)
        #expect(next.effects.isEmpty)
        #expect(next.model?.visited == Set(SignUp.Field.allCases))
    }

    private struct Refused: Error {}

    @Test func `a form is sent once, and again after a rejection`() {
        let time = VirtualScheduler()
        let refusals = Ref(1)
        let server = SignUpServer(
            isTaken: { _ in false },
            signUp: { _ in
                try await time.clock.sleep(for: .seconds(1))
                let isRefused = refusals.modify { left in
                    left -= 1
                    return left >= 0
                }
                if isRefused { throw Refused() }
            })
        let test = TestLoop(
            Mobius.loop(update: signUpUpdate, effectHandler: signUpHandler(server, clock: time.clock)),
            from: Self.valid, time: time)

        test.send(.submitted) {
            $0.visited = Set(SignUp.Field.allCases)
            $0.status = .sending
        }
        test.effects(.send(Self.valid.account))
        test.send(.submitted)
        test.advance(by: .seconds(1))
        test.receive(.rejected(reason: "Refused()")) { $0.status = .rejected(reason: "Refused()") }
        test.send(.submitted) { $0.status = .sending }
        test.effects(.send(Self.valid.account))
        test.advance(by: .seconds(1))
        test.receive(.accepted) { $0.status = .done }
        test.send(.submitted)
        test.finish()
    }
}
