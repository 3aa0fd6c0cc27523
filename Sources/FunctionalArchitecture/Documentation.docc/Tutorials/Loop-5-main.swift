import FunctionalArchitecture

let questions = Questions(
    load: { number in "What is \(number) + 1?" },
    beep: { print("beep") })
let events = TraceBuffer()
let loop = Mobius.loop(
    update: quizUpdate, effectHandler: quizHandler(questions)
)
.withTrace(Trace(to: events))
.start(from: Quiz())

loop.dispatchEvent(.next(1))
try await loop.settled()
for event in events.all { print(event) }
