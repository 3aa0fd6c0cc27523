// The code of the recipe for undo and redo.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import Optics
import PropertyTesting
import TestSupport
import Testing
import VirtualTime

struct History<Value: Equatable & Sendable>: Equatable, Sendable {
    var present: Value
    private(set) var past: [Value] = []
    private(set) var future: [Value] = []
    private var stepIsOpen = false

    init(_ present: Value) { self.present = present }

    mutating func record(_ old: Value, merging: Bool = false, limit: Int = 100) {
        if !(merging && stepIsOpen) { past.append(old) }
        if past.count > limit { past.removeFirst() }
        future = []
        stepIsOpen = merging
    }

    mutating func closeStep() { stepIsOpen = false }

    mutating func undo() {
        guard let old = past.popLast() else { return }
        future.append(present)
        present = old
        stepIsOpen = false
    }

    mutating func redo() {
        guard let new = future.popLast() else { return }
        past.append(present)
        present = new
        stepIsOpen = false
    }
}

struct Drawing: Equatable, Sendable {
    var title = ""
    var shapes: [String] = []
}
enum DrawingInput {
    case rename(String)
    case add(String)
}

let drawing = StateDispatcher<Void, Drawing, DrawingInput>.pure { input in
    switch input {
    case .rename(let title): .update { $0.title = title }
    case .add(let shape): .update { $0.shapes.append(shape) }
    }
}

enum CanvasInput: AutoPrism {
    case draw(DrawingInput)
    case undo
    case redo
}
typealias Canvas = StateDispatcher<Void, History<Drawing>, CanvasInput>

let traveling = Canvas.workflow { input in
    switch input {
    case .undo: [.pure(.update { $0.undo() })]
    case .redo: [.pure(.update { $0.redo() })]
    case .draw: []
    }
}
let canvas = Canvas.combine {
    drawing
        .widen(transformState: \History<Drawing>.present, transformInput: CanvasInput.prism(for: CanvasInput.draw))
        .onChange(of: \.present) { old, _ in .update { $0.record(old) } }
    traveling
}

func canvas(clock: some Clock<Duration>) -> Canvas {
    .combine {
        drawing
            .widen(transformState: \History<Drawing>.present, transformInput: CanvasInput.prism(for: CanvasInput.draw))
            .onChange(of: \.present) { old, new in
                .update { $0.record(old, merging: old.shapes == new.shapes) }
            }
        StateDispatcher<Void, History<Drawing>, DrawingInput>
            .pure { _ in .update { $0.closeStep() } }
            .policy(.debounce(for: .seconds(1), clock: clock))
            .widen(transformInput: CanvasInput.prism(for: CanvasInput.draw))
        traveling
    }
}

@Suite("The recipe for undo", .timeLimit(.minutes(10)))
struct RecipeUndoExampleTests {
    @Test func undoAndRedo() {
        let component = Component(initialState: History(Drawing()), environment: (), dispatcher: canvas)
        component.send(.draw(.add("circle")))
        component.send(.draw(.add("square")))
        component.send(.undo)  // component.state.present.shapes == ["circle"]
        component.send(.redo)  // component.state.present.shapes == ["circle", "square"]
        #expect(component.state.present.shapes == ["circle", "square"])
        component.send(.undo)
        #expect(component.state.present.shapes == ["circle"])
        #expect(component.state.future == [Drawing(shapes: ["circle", "square"])])
        component.send(.draw(.add("line")))
        #expect(component.state.future.isEmpty)
        component.send(.redo)
        #expect(component.state.present.shapes == ["circle", "line"])
    }

    @Test func anEditAndItsStepAreOneNotification() {
        let component = Component(initialState: History(Drawing()), environment: (), dispatcher: canvas)
        let steps = Record<Int>()
        component.observe { steps.append($0.past.count) }
        component.send(.draw(.add("circle")))
        component.send(.undo)
        component.send(.undo)
        #expect(steps.values == [0, 1, 0, 0])
        #expect(component.state.past.isEmpty)
    }

    @Test func aResultOfAsynchronousWorkIsAStep() throws {
        let scheduler = VirtualScheduler()
        let importing = StateDispatcher<Void, Drawing, DrawingInput>.effectful { _ in
            EnvIO { _ in
                try await scheduler.clock.sleep(for: .seconds(1))
                return .update { $0.shapes.append("imported") }
            }
        }
        let dispatcher = Canvas.combine {
            importing
                .widen(
                    transformState: \History<Drawing>.present, transformInput: CanvasInput.prism(for: CanvasInput.draw)
                )
                .onChange(of: \.present) { old, _ in .update { $0.record(old) } }
            traveling
        }
        let component = Component(
            initialState: History(Drawing()), environment: (), executor: scheduler.executor, dispatcher: dispatcher)
        component.send(.draw(.add("ignored")))
        scheduler.advance(by: .seconds(1))
        #expect(component.state.present.shapes == ["imported"])
        component.send(.undo)
        #expect(component.state.present.shapes.isEmpty)
    }

    @Test func anEditWithoutAChangeIsNoStep() {
        let component = Component(initialState: History(Drawing()), environment: (), dispatcher: canvas)
        component.send(.draw(.rename("")))
        #expect(component.state.past.isEmpty)
    }

    @Test func asManyUndosAsEditsRestoreTheState() async {
        await forAll(Gen.int(in: 0...9).array(0...120)) { numbers in
            let component = Component(initialState: History(Drawing()), environment: (), dispatcher: canvas)
            for number in numbers { component.send(.draw(.add("\(number)"))) }
            let edited = component.state
            let undos = min(numbers.count, 100)
            for _ in 0..<undos { component.send(.undo) }
            #expect(component.state.present.shapes == numbers.dropLast(undos).map { "\($0)" })
            for _ in 0..<undos { component.send(.redo) }
            #expect(component.state == edited)
        }
    }

    @Test func typingIsOneStepUntilAPause() {
        let scheduler = VirtualScheduler()
        let component = Component(
            initialState: History(Drawing()), environment: (), executor: scheduler.executor,
            dispatcher: canvas(clock: scheduler.clock))
        for title in ["M", "Ma", "Map"] {
            component.send(.draw(.rename(title)))
            scheduler.advance(by: .milliseconds(300))
        }
        scheduler.advance(by: .seconds(1))
        component.send(.draw(.rename("Map 1")))
        component.send(.draw(.add("circle")))
        component.send(.draw(.add("square")))
        #expect(component.state.past.count == 4)

        var titles: [String] = []
        for _ in 0..<5 {
            component.send(.undo)
            titles.append("\(component.state.present.title) \(component.state.present.shapes.count)")
        }
        #expect(titles == ["Map 1 1", "Map 1 0", "Map 0", " 0", " 0"])
    }

    @Test func anUndoClosesTheStep() {
        let scheduler = VirtualScheduler()
        let component = Component(
            initialState: History(Drawing()), environment: (), executor: scheduler.executor,
            dispatcher: canvas(clock: scheduler.clock))
        component.send(.draw(.rename("M")))
        component.send(.undo)
        component.send(.draw(.rename("N")))
        component.send(.undo)
        #expect(component.state.present == Drawing())
    }

    @Test func aPauseBelongsToOneComponent() {
        let scheduler = VirtualScheduler()
        let dispatcher = canvas(clock: scheduler.clock)
        let one = Component(
            initialState: History(Drawing()), environment: (), executor: scheduler.executor, dispatcher: dispatcher)
        let two = Component(
            initialState: History(Drawing()), environment: (), executor: scheduler.executor, dispatcher: dispatcher)
        one.send(.draw(.rename("M")))
        scheduler.advance(by: .milliseconds(600))
        two.send(.draw(.rename("M")))
        scheduler.advance(by: .milliseconds(600))
        for component in [one, two] { component.send(.draw(.rename("Ma"))) }
        #expect(one.state.past.count == 2)
        #expect(two.state.past.count == 1)
    }
}

// MARK: - In a loop

enum DrawingEvent {
    case rename(String)
    case add(String)
}
enum DrawingEffect: Equatable { case save(Drawing) }

func recorded<Model, Event, Effect>(
    _ update: Update<Model, Event, Effect>
) -> Update<History<Model>, Event, Effect> {
    Update(inPlace: { history, event in
        let old = history.present
        let next = update(old, event)
        if let model = next.model, model != old {
            history.present = model
            history.record(old)
        }
        return next.effects
    })
}

enum CanvasEvent: AutoPrism {
    case draw(DrawingEvent)
    case undo
    case redo
}

let drawingUpdate = Update<Drawing, DrawingEvent, DrawingEffect>(inPlace: { drawing, event in
    switch event {
    case .rename(let title): drawing.title = title
    case .add(let shape): drawing.shapes.append(shape)
    }
    return [.save(drawing)]
})

let canvasUpdate = Update.combine(
    recorded(drawingUpdate).widen(model: \.self, event: CanvasEvent.prism(for: CanvasEvent.draw)),
    Update(inPlace: { history, event in
        switch event {
        case .undo: history.undo()
        case .redo: history.redo()
        case .draw: return []
        }
        return [.save(history.present)]
    })
)

@Suite("The recipe for undo in a loop", .timeLimit(.minutes(10)))
struct RecipeUndoLoopExampleTests {
    @Test func undoAndRedo() {
        let saved = Record<Drawing>()
        let handler = EffectRouter<DrawingEffect, CanvasEvent>()
            .routeCase(DrawingEffect.save).to { drawing in saved.append(drawing) }
        let loop = Mobius.loop(update: canvasUpdate, effectHandler: handler).start(from: History(Drawing()))
        loop.dispatchEvent(.draw(.add("circle")))
        loop.dispatchEvent(.draw(.rename("Map")))
        loop.dispatchEvent(.draw(.rename("Map")))
        loop.dispatchEvent(.undo)
        #expect(loop.latestModel.present == Drawing(shapes: ["circle"]))
        #expect(loop.latestModel.past == [Drawing()])
        loop.dispatchEvent(.redo)
        #expect(loop.latestModel.present == Drawing(title: "Map", shapes: ["circle"]))
        #expect(saved.values.map(\.title) == ["", "Map", "Map", "", "Map"])
    }
}

// MARK: - In a store

struct Rename: Action { let title: String }
struct AddShape: Action { let shape: String }
struct Undo: Action {}
struct Redo: Action {}

func recorded<Value>(_ reducer: @escaping ReducerFn<Value>) -> ReducerFn<History<Value>> {
    { history, action in
        let old = history.present
        reducer(&history.present, action)
        if history.present != old { history.record(old) }
    }
}

let drawingReducer: ReducerFn<Drawing> = combineReducers(
    on(Rename.self) { drawing, action in drawing.title = action.title },
    on(AddShape.self) { drawing, action in drawing.shapes.append(action.shape) }
)
let canvasReducer: ReducerFn<History<Drawing>> = combineReducers(
    recorded(drawingReducer),
    on(Undo.self) { history, _ in history.undo() },
    on(Redo.self) { history, _ in history.redo() }
)

@Suite("The recipe for undo in a store", .timeLimit(.minutes(10)))
struct RecipeUndoStoreExampleTests {
    @Test func undoAndRedo() {
        let store = Store(reducer: canvasReducer, initialState: History(Drawing()))
        store.dispatch(action: AddShape(shape: "circle"))
        store.dispatch(action: Rename(title: "Map"))
        store.dispatch(action: Undo())
        #expect(store.state.present == Drawing(shapes: ["circle"]))
        store.dispatch(action: Redo())
        #expect(store.state.present == Drawing(title: "Map", shapes: ["circle"]))
        store.dispatch(action: Undo())
        store.dispatch(action: AddShape(shape: "square"))
        store.dispatch(action: Redo())
        #expect(store.state.present == Drawing(shapes: ["circle", "square"]))
        #expect(store.state.past == [Drawing(), Drawing(shapes: ["circle"])])
    }
}
