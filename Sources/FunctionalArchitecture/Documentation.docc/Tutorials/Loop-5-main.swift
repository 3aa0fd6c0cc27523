import ArchitectureTracing
import Foundation
import FunctionalArchitecture

let questions = Questions(
    load: { number in "What is \(number) + 1?" },
    beep: { print("beep") })
let file = try JSONLinesFile(
    at: URL(filePath: "quiz.jsonl"))
let loop = Mobius.loop(
    update: quizUpdate, effectHandler: quizHandler(questions)
)
.withTrace(Trace(to: file))
.start(from: Quiz())

loop.dispatchEvent(.next(1))
try await loop.settled()
file.close()
