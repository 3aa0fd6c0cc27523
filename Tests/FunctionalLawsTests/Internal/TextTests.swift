import FunctionalLaws
import Optics
import PropertyTesting
import Testing

/// Optics that return equal text made of different Unicode scalars.
enum TextMutants {
    /// Replaces each `e` with a combining acute accent by the equal single scalar.
    static let composing = Lens<String, String>(get: { $0 }, set: { _, text in composed(text) })

    private static func composed(_ text: String) -> String {
        String(text.map { $0 == "\u{E9}" ? "\u{E9}" : $0 })
    }

    static var all: [Mutant] {
        [
            Mutant(
                "A lens normalises text",
                [LensLaw.setWhatYouGet, .getWhatYouSet, .changingNothingChangesNothing]
            ) { $0.property(of: composing, whole: Gen.string, part: Gen.string) },
            Mutant("A prism normalises text", [PrismLaw.extractWhatYouEmbed, .embedWhatYouExtract]) {
                $0.property(
                    of: Prism<String, String>(embed: { $0 }, extract: { composed($0) }), whole: Gen.string,
                    part: Gen.string)
            },
            Mutant("A lens normalises text in a list of records", [LensLaw.getWhatYouSet]) {
                let lens = Lens<Note, [Note]>(
                    get: { $0.children },
                    set: { note, children in
                        Note(
                            text: note.text,
                            children: children.map { Note(text: composed($0.text), children: $0.children) })
                    })
                let leaf = Gen.string.map { Note(text: $0) }
                return $0.property(
                    of: lens, whole: leaf.array(0...3).map { Note(children: $0) }, part: leaf.array(0...3))
            },
        ]
    }
}

struct Note: Equatable, Sendable {
    var text = ""
    var children: [Note] = []
}

@Suite("Text in the laws", .timeLimit(.minutes(10)))
struct TextTests {
    private let accented = Gen.element(of: ["e\u{301}", "\u{E9}", "a"])

    @Test(arguments: 0..<20)
    func aLensThatNormalisesTextIsNoticed(_ seed: UInt64) async {
        let law = LensLaw.getWhatYouSet.property(of: TextMutants.composing, whole: Gen.string, part: Gen.string)
        #expect(await law.falsify(settings: .init(seed: seed)) != nil)
    }

    @Test(arguments: LensLaw.allCases)
    func theKeysOfADictionaryAreComparedAsTheDictionaryDoes(_ law: LensLaw) async {
        // A dictionary keeps the first of two equal keys. If a key is removed and set again, it has the new scalars.
        let whole = accented.map { [$0: 1] }
        await law.property(of: Lens<[String: Int], Int?>.at("\u{E9}"), whole: whole, part: Gen.int.optional).check()
    }

    @Test(arguments: LensLaw.allCases)
    func theElementsOfASetAreComparedAsTheSetDoes(_ law: LensLaw) async {
        let contains = Lens<Set<String>, Bool>(
            get: { $0.contains("\u{E9}") },
            modify: { set, change in
                var isIn = set.contains("\u{E9}")
                change(&isIn)
                if isIn { set.insert("\u{E9}") } else { set.remove("\u{E9}") }
            })
        await law.property(of: contains, whole: accented.map { [$0] }, part: Gen.bool).check()
    }

    @Test(arguments: LensLaw.allCases)
    func theLawsIgnorePropertiesThatEqualityIgnores(_ law: LensLaw) async {
        struct Titled: Equatable, Sendable {
            var title: String
            var lastRead: String

            static func == (left: Titled, right: Titled) -> Bool { left.title == right.title }
        }
        let title = Lens<Titled, String>(
            get: { $0.title }, set: { titled, title in Titled(title: title, lastRead: titled.lastRead + "x") })
        let whole = Gen.zip(accented, Gen.element(of: ["x", "y"])).map { Titled(title: $0, lastRead: $1) }
        await law.property(of: title, whole: whole, part: accented).check()
    }

    @Test(arguments: LensLaw.allCases)
    func aGivenEqualityReplacesTheTypesOwn(_ law: LensLaw) async {
        await law.property(
            of: TextMutants.composing, whole: Gen.string, part: Gen.string, wholes: { $0 == $1 }, parts: { $0 == $1 }
        ).check()
    }
}
