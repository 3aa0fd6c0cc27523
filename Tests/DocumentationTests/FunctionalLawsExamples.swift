// The code of the page on FunctionalLaws.

import FunctionalLaws
import Optics
import PropertyTesting
import Testing

struct Person: Equatable, Sendable {
    var name: String
    var age: Int
}

let age = Lens(\Person.age)
let person = Gen.zip(Gen.string, Gen.int).map { name, age in Person(name: name, age: age) }

enum Shape: Equatable, Sendable {
    case circle(Int)
    case square(Int)
}

@Suite("The page on FunctionalLaws", .timeLimit(.minutes(10)))
struct FunctionalLawsExampleTests {
    @Test(arguments: LensLaw.allCases)
    func ageIsALens(_ law: LensLaw) async {
        await law.property(of: age, whole: person, part: Gen.int).check()
    }

    @Test func aWrongLensIsFalsified() async {
        let wrong = Lens<Person, Int>(get: { $0.age }, set: { person, age in Person(name: "", age: age) })
        let found = await LensLaw.setWhatYouGet.property(of: wrong, whole: person, part: Gen.int).falsify()
        #expect(
            found?.message.hasPrefix("The law does not hold: set(s, get(s)) == s\n    left:  Person(name: \"\"") == true
        )
    }

    @Test func aVacuousLawFails() async {
        let square = Prism(Shape.square) { if case .square(let side) = $0 { side } else { nil } }
        let circles = Gen.int.map(Shape.circle)
        let vacuous = await PrismLaw.twoChangesAreOne.property(of: square, whole: circles, part: Gen.int).falsify()
        #expect(
            vacuous?.description == """
                Too few cases with "a part in the whole": 0 of 100, at least 1% wanted.
                    labels: 0% a part in the whole
                """)
    }

    @Test(arguments: ReducerLaw.allCases)
    func theCounterIsAFunction(_ law: ReducerLaw) async {
        await law.property(
            of: { (count: Int, step: Int) in count + step }, states: Gen.int, inputs: Gen.int
        )
        .check()
    }
}
