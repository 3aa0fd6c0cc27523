import ArchitectureTracing
import Foundation
import FunctionalArchitecture

let file = try JSONLinesFile(
    at: URL(filePath: "phrase.jsonl"))
let component = Component(
    initialState: Phrase(),
    environment: Translator { text in text.uppercased() },
    trace: Trace(to: file),
    dispatcher: phrase)

component.send("hello")
try await component.settled()
file.close()
