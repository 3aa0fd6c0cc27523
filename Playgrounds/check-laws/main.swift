import Foundation
import FunctionalLaws
import Optics
import PropertyTesting

struct Account: Equatable, Sendable {
    var name: String
    var renames: Int
}

// A lens with a mistake in it: setting the name also counts.
let name = Lens<Account, String>(
    get: { account in account.name },
    set: { account, name in Account(name: name, renames: account.renames + 1) }
)

let account = Gen.zip(Gen.string, Gen.int).map { name, renames in Account(name: name, renames: renames) }
var isLawful = true

for law in LensLaw.allCases {
    let found = await law.property(of: name, whole: account, part: Gen.string).falsify()
    print(found.map { "✘ \($0)" } ?? "✔ \(law.rawValue)")
    isLawful = isLawful && found == nil
}
exit(isLawful ? 0 : 1)
