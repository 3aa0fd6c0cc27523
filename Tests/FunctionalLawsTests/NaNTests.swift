import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// The generator of `Double` generates NaN, which does not equal itself.
@Suite("NaN in the laws", .timeLimit(.minutes(10)))
struct NaNTests {
    struct Parcel: Equatable, Sendable {
        var name = ""
        var weight = 0.0
        var parts: [Double?] = []
        var prices: [String: Double] = [:]

        static let gen = Gen.zip(Gen.string, NaNTests.number, NaNTests.number.optional.array(0...3), NaNTests.number)
            .map {
                Parcel(name: $0, weight: $1, parts: $2, prices: ["a": $3, "b": 1])
            }
    }

    /// Generates NaN in about half of the cases.
    static let number = Gen.oneOf(Gen.double, Gen.always(Double.nan))

    @Test(arguments: LensLaw.allCases)
    func theLawsHoldForALensToANumber(_ law: LensLaw) async {
        await law.property(of: Lens(\Parcel.weight), whole: Parcel.gen, part: Self.number).check()
        await law.property(of: Lens(\Parcel.parts), whole: Parcel.gen, part: Self.number.optional.array(0...3)).check()
    }

    @Test(arguments: LensLaw.allCases)
    func theLawsHoldForALensOfAWholeWithANumber(_ law: LensLaw) async {
        await law.property(of: Lens(\Parcel.name), whole: Parcel.gen, part: Gen.string).check()
    }

    @Test(arguments: PrismLaw.allCases)
    func theLawsHoldForAPrismToANumber(_ law: PrismLaw) async {
        let some = Prism<Double?, Double>(embed: { $0 }, extract: { $0 })
        await law.property(of: some, whole: Self.number.optional, part: Self.number).check()
    }

    @Test(arguments: ReducerLaw.allCases)
    func theLawsHoldForAReducerOfNumbers(_ law: ReducerLaw) async {
        await law.property(of: { (sum: Double, step: Double) in sum + step }, states: Self.number, inputs: Self.number)
            .check()
    }

    @Test func aLensThatLosesNaNIsNoticed() async {
        let zero = Lens<Parcel, Double>(
            get: { $0.weight },
            modify: { parcel, change in
                change(&parcel.weight)
                if parcel.weight.isNaN { parcel.weight = 0 }
            })
        let law = LensLaw.getWhatYouSet.property(of: zero, whole: Parcel.gen, part: Self.number)
        #expect(await law.falsify() != nil)
    }

    @Test func aChangeBesideANaNIsNoticed() async {
        let heavy = Parcel.gen.map { parcel in
            var parcel = parcel
            parcel.weight = .nan
            return parcel
        }
        func found(_ change: @escaping @Sendable (inout Parcel) -> Void) async -> Falsified? {
            let broken = Lens<Parcel, Double>(
                get: { $0.weight },
                modify: { parcel, set in
                    set(&parcel.weight)
                    change(&parcel)
                })
            return await LensLaw.setWhatYouGet.property(of: broken, whole: heavy, part: Self.number).falsify()
        }
        #expect(await found { _ in } == nil)
        #expect(await found { $0.name += "a" } != nil)
        #expect(await found { $0.parts.append(nil) } != nil)
        #expect(await found { $0.prices["b"] = 2 } != nil)
        #expect(await found { $0.prices["c"] = 2 } != nil)
        #expect(await found { $0.name = String($0.name.map { $0 == "\u{E9}" ? "\u{E9}" : $0 }) } != nil)
    }
}
