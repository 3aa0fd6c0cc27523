import FunctionalArchitecture

let events = TraceBuffer()
let component = Component(
    initialState: Phrase(),
    environment: Translator { text in text.uppercased() },
    trace: Trace(to: events),
    dispatcher: phrase())

component.send("hello")
try await component.settled()
for event in events.all { print(event) }
