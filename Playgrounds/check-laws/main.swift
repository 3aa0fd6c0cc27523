import Dispatcher
import Foundation
import FunctionalCore
import FunctionalLaws
import Optics
import PropertyTesting
import TerminalSupport
import TracingSupport

let program = Program(
    name: "check-laws", usage: TraceFile.usage,
    summary: """
        Checks the laws of a lens that breaks some of them on purpose, and shows the
        smallest values for which each broken law does not hold.

        The exit status is 1, as for any lens that breaks a law. PROPERTY_SEED=N in the
        environment makes the values repeatable.
        """,
    options: [TraceFile.option, TraceFile.force])
let trace = program.orExit(try TraceFile(program.parseOrExit(), of: program))

struct Account: Equatable, Sendable {
    var name: String
    var renames: Int
}

// A lens with a mistake: its setter also counts a rename.
let name = Lens<Account, String>(
    get: { account in account.name },
    set: { account, name in Account(name: name, renames: account.renames + 1) }
)

/// Returns the text with all lines after the first indented by four columns.
func indented(_ text: String) -> String {
    text.split(separator: "\n").enumerated()
        .map { index, line in index == 0 || line.hasPrefix("    ") ? String(line) : "    " + line }
        .joined(separator: "\n")
}

let account = Gen.zip(Gen.string, Gen.int).map { name, renames in Account(name: name, renames: renames) }

/// The result of checking a law.
struct Verdict: Sendable {
    let law: String
    let holds: Bool
}

let isLawful = Component(
    initialState: true, environment: (), trace: trace?.trace,
    dispatcher: StateDispatcher<Void, Bool, Verdict>.pure { verdict in .update { $0 = $0 && verdict.holds } })

print("This lens breaks its laws on purpose: setting the name also counts a rename. Failures are expected.\n")

for law in LensLaw.allCases {
    let found = await law.property(of: name, whole: account, part: Gen.string).falsify()
    print(found.map { "✘ " + indented("\($0)") } ?? "✔ \(law.rawValue)")
    isLawful.send(Verdict(law: law.rawValue, holds: found == nil))
}
if !isLawful.state { print("\nThe mistake in the lens causes the failures above. The exit status is 1.") }
trace?.finish()
exit(isLawful.state ? ExitStatus.success : ExitStatus.failure)
