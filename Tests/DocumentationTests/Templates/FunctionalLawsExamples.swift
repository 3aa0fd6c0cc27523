// The code of the page on FunctionalLaws.

import FunctionalLaws
import Optics
import PropertyTesting
import Testing

//@block FunctionalLaws/FunctionalLaws struct Person

//@block FunctionalLaws/FunctionalLaws enum Shape

@Suite("The page on FunctionalLaws", .timeLimit(.minutes(10)))
struct FunctionalLawsExampleTests {
    //@block FunctionalLaws/FunctionalLaws @Test(arguments: LensLaw.allCases)

    @Test func aWrongLensIsFalsified() async {
        //@block FunctionalLaws/FunctionalLaws let wrong
        #expect(
            found?.message.hasPrefix("The law does not hold: set(s, get(s)) == s\n    left:  Person(name: \"\"") == true
        )
    }

    @Test func aVacuousLawFails() async {
        //@block FunctionalLaws/FunctionalLaws let square
        #expect(
            vacuous?.description == """
                Too few cases with "a part in the whole": 0 of 100, at least 1% wanted.
                    labels: 0% a part in the whole (100 cases)
                """)
    }

    //@block FunctionalLaws/FunctionalLaws @Test(arguments: ReducerLaw.allCases)
}
