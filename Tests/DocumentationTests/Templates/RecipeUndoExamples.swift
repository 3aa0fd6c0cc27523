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

//@block Dispatcher/RecipeUndo struct History<Value

//@block Dispatcher/RecipeUndo struct Drawing

//@block Dispatcher/RecipeUndo enum CanvasInput

//@block Dispatcher/RecipeUndo func canvas(clock

@Suite("The recipe for undo", .timeLimit(.minutes(10)))
struct RecipeUndoExampleTests {
    @Test func undoAndRedo() {
        //@block Dispatcher/RecipeUndo let component
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

//@block Dispatcher/RecipeUndo func recorded<Model

enum CanvasEvent: AutoPrism {
    case draw(DrawingEvent)
    case undo
    case redo
}

var drawingUpdate: Update<Drawing, DrawingEvent, DrawingEffect> {
    Update(inPlace: { drawing, event in
        switch event {
        case .rename(let title): drawing.title = title
        case .add(let shape): drawing.shapes.append(shape)
        }
        return [.save(drawing)]
    })
}

//@block Dispatcher/RecipeUndo var canvasUpdate

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

//@block Dispatcher/RecipeUndo func recorded<Value>(_

var drawingReducer: ReducerFn<Drawing> {
    combineReducers(
        on(Rename.self) { drawing, action in drawing.title = action.title },
        on(AddShape.self) { drawing, action in drawing.shapes.append(action.shape) }
    )
}

//@block Dispatcher/RecipeUndo var canvasReducer

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
