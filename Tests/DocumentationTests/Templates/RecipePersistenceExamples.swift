// The code of the recipe for saving and restoring a state.

import Dispatcher
import Effects
import Foundation
import FunctionalCore
import Loop
import Optics
import TestSupport
import Testing
import VirtualTime

//@block Dispatcher/RecipePersistence struct Note:

//@block Dispatcher/RecipePersistence enum NoteFile

//@block Dispatcher/RecipePersistence struct NoteDisk

//@block Dispatcher/RecipePersistence struct Editor

// MARK: - A dispatcher

//@block Dispatcher/RecipePersistence enum EditorInput

//@block Dispatcher/RecipePersistence func editor(clock

//@block Dispatcher/RecipePersistence func quit

/// A file in memory. It counts the writes, and fails as often as it is asked to.
private final class MemoryFile: Sendable {
    struct Full: Error {}

    let data: Ref<Data?>
    let writes = Ref(0)
    let failures = Ref(0)

    init(_ text: String? = nil) { data = Ref(text.map { Data($0.utf8) }) }

    var disk: NoteDisk {
        NoteDisk(
            read: { self.data.get() },
            write: { data in
                self.writes.modify { $0 += 1 }
                let fails = self.failures.modify { failures in
                    defer { failures = max(0, failures - 1) }
                    return failures > 0
                }
                if fails { throw Full() }
                self.data.set(data)
            })
    }

    var note: Note? { data.get().flatMap { try? NoteFile.decode($0) } }
}

/// A clock whose sleeps take no time.
private struct NoPause: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}

// MARK: - A loop

enum EditorEvent {
    case loaded(Note)
    case setText(String)
    case saved(Note)
    case failed(String)
}
enum EditorEffect: Equatable {
    case load
    case save(Note)
}

//@block Dispatcher/RecipePersistence var editorUpdate

// MARK: - A store

struct LoadNote: Action {}
struct NoteLoaded: Action { let note: Note }
struct SetText: Action { let text: String }
struct SaveNote: Action { let note: Note }
struct NoteSaved: Action { let note: Note }
struct NoteFailed: Action { let message: String }

var editorReducer: ReducerFn<Editor> {
    combineReducers(
        on(NoteLoaded.self) { editor, loaded in
            editor.note = loaded.note
            editor.saved = loaded.note
        },
        on(SetText.self) { editor, action in editor.note?.text = action.text },
        on(NoteSaved.self) { editor, action in
            editor.saved = action.note
            editor.failure = nil
        },
        on(NoteFailed.self) { editor, failed in editor.failure = failed.message }
    )
}

//@block Dispatcher/RecipePersistence var loadingNote

// MARK: - Tests

private func makeEditor(_ file: MemoryFile, _ scheduler: VirtualScheduler) -> Component<Editor, EditorInput> {
    let (disk, clock) = (file.disk, scheduler.clock)
    let component = Component(
        initialState: Editor(), environment: disk, executor: scheduler.executor, dispatcher: editor(clock: clock))
    component.observe(\.unsaved) { [weak component] note in
        if let note { component?.send(.save(note)) }
    }
    component.send(.load)
    scheduler.drain()
    return component
}

/// A front door with the recipe. Opens an editor of a file.
private struct Door: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let open: @Sendable (MemoryFile, VirtualScheduler) -> (setText: (String) -> Void, state: () -> Editor)
}

private let doors = [
    Door(testDescription: "component") { file, scheduler in
        let component = makeEditor(file, scheduler)
        return ({ component.send(.setText($0)) }, { component.state })
    },
    Door(testDescription: "loop") { file, scheduler in
        let handler = editorHandler(file.disk, clock: scheduler.clock, executor: scheduler.executor)
        let loop = Mobius.loop(update: editorUpdate, effectHandler: handler).start(from: Editor(), effects: [.load])
        scheduler.drain()
        return ({ loop.dispatchEvent(.setText($0)) }, { loop.latestModel })
    },
    Door(testDescription: "store") { file, scheduler in
        let (disk, clock, executor) = (file.disk, scheduler.clock, scheduler.executor)

        //@block Dispatcher/RecipePersistence let store

        scheduler.drain()
        return ({ store.dispatch(action: SetText(text: $0)) }, { store.state })
    },
]

@Suite("The recipe for persistence", .timeLimit(.minutes(10)))
struct RecipePersistenceExampleTests {
    let scheduler = VirtualScheduler()

    @Test func wiring() async throws {
        let file = MemoryFile()
        let (disk, clock) = (file.disk, ContinuousClock())  // No time: the test does not wait for the pause.

        //@block Dispatcher/RecipePersistence let component

        try await component.settled()
        #expect(component.state == Editor(note: Note(), saved: Note()))
        component.send(.setText("last words"))

        //@block Dispatcher/RecipePersistence component.flush

        #expect(file.note == Note(text: "last words"))
    }

    /// The clock never advances, so neither the pause of the save nor the second request would end.
    @Test func quittingCancelsRequestsAndSavesAtOnce() async throws {
        let (file, clock, requests) = (MemoryFile(), VirtualClock(), Ref(0))
        let disk = NoteDisk(
            read: {
                if requests.modify({
                    $0 += 1
                    return $0
                }) == 2 {
                    try await clock.sleep(for: .seconds(1))
                }
                return nil
            }, write: file.disk.write)
        let component = Component(initialState: Editor(), environment: disk, dispatcher: editor(clock: clock))
        component.observe(\.unsaved) { [weak component] note in
            if let note { component?.send(.save(note)) }
        }
        await component.send(.load).finish()
        component.send(.setText("last words"))
        let request = component.send(.load)
        try await quit(component, cancelling: [request])
        #expect(request.isCancelled)
        #expect(component.state.unsaved == nil)
        #expect(file.note == Note(text: "last words"))
    }

    @Test(arguments: doors)
    private func severalChangesAreSavedOnceAfterAPause(_ door: Door) {
        let file = MemoryFile(#"{"version":1,"text":"old"}"#)
        let editor = door.open(file, scheduler)
        for text in ["H", "Ha", "Hat"] {
            editor.setText(text)
            scheduler.advance(by: .milliseconds(500))
        }
        #expect(file.writes.get() == 0)
        #expect(editor.state().unsaved?.text == "Hat")
        scheduler.advance(by: .milliseconds(500))
        #expect(file.writes.get() == 1)
        #expect(file.note == Note(title: "Untitled", text: "Hat"))
        #expect(editor.state().unsaved == nil)
    }

    @Test(arguments: doors)
    private func changesThatNeverPauseAreSaved(_ door: Door) {
        let file = MemoryFile()
        let editor = door.open(file, scheduler)
        for second in 1...60 {
            editor.setText("\(second)")
            scheduler.advance(by: .milliseconds(500))
            editor.setText("\(second).5")
            scheduler.advance(by: .milliseconds(500))
            // The tenth second ends with a save, and the next change begins another wait.
            if second == 10 { #expect(file.note?.text == "10.5") }
        }
        #expect(file.writes.get() == 6)
    }

    @Test(arguments: doors)
    private func aChangeThatIsTakenBackIsSavedInTheEnd(_ door: Door) {
        let file = MemoryFile()
        let editor = door.open(file, scheduler)
        editor.setText("a")
        editor.setText("")
        scheduler.advance(by: .seconds(5))
        #expect(editor.state().unsaved == nil)
        #expect(file.note == Note())
    }

    /// A component retries first.
    @Test(arguments: doors.dropFirst())
    private func aFailedSaveIsShown(_ door: Door) {
        let file = MemoryFile()
        file.failures.set(1)
        let editor = door.open(file, scheduler)
        editor.setText("a")
        scheduler.advance(by: .seconds(1))
        #expect(editor.state().failure != nil)
        #expect(editor.state().unsaved == Note(text: "a"))
        editor.setText("ab")
        scheduler.advance(by: .seconds(1))
        #expect(editor.state() == Editor(note: Note(text: "ab"), saved: Note(text: "ab")))
    }

    @Test(arguments: doors, [#"{"version":3,"pages":[]}"#, "not JSON"])
    private func aFileThatCannotBeReadIsNotOverwritten(_ door: Door, _ text: String) {
        let file = MemoryFile(text)
        let editor = door.open(file, scheduler)
        editor.setText("lost?")
        scheduler.advance(by: .seconds(60))
        #expect(editor.state().note == nil)
        #expect(editor.state().failure != nil)
        #expect(file.writes.get() == 0)
        #expect(file.data.get() == Data(text.utf8))
    }

    @Test func loadingAloneDoesNotWrite() {
        let file = MemoryFile(#"{"version":2,"title":"T","text":"a"}"#)
        let component = makeEditor(file, scheduler)
        scheduler.advance(by: .seconds(60))
        #expect(component.state.note == Note(title: "T", text: "a"))
        #expect(file.writes.get() == 0)
    }

    @Test func settledWaitsForAPendingSave() throws {
        let file = MemoryFile()
        let component = makeEditor(file, scheduler)
        component.send(.setText("last words"))
        try scheduler.run { try await component.settled() }
        #expect(file.note == Note(text: "last words"))
    }

    @Test func aFailedSaveIsRetriedAndThenReported() {
        let file = MemoryFile()
        file.failures.set(2)
        let component = makeEditor(file, scheduler)
        component.send(.setText("a"))
        scheduler.advance(by: .seconds(1))
        #expect(file.writes.get() == 1)
        scheduler.advance(by: .seconds(3))
        #expect(file.note == Note(text: "a"))
        #expect(component.state.failure == nil)

        file.failures.set(4)
        component.send(.setText("ab"))
        scheduler.advance(by: .seconds(8))
        #expect(component.state.failure != nil)
        #expect(component.state.unsaved == Note(text: "ab"))
        #expect(file.note == Note(text: "a"))

        component.send(.setText("abc"))
        scheduler.advance(by: .seconds(1))
        #expect(component.state == Editor(note: Note(text: "abc"), saved: Note(text: "abc")))
    }

    @Test func anOldFileIsMigrated() {
        let file = MemoryFile(#"{"version":1,"text":"old"}"#)
        let component = makeEditor(file, scheduler)
        #expect(component.state.note == Note(title: "Untitled", text: "old"))
        #expect(file.writes.get() == 0)
        component.send(.setText("new"))
        scheduler.advance(by: .seconds(1))
        #expect(String(decoding: file.data.get() ?? Data(), as: UTF8.self).contains(#""version":2"#))
        #expect(file.note == Note(title: "Untitled", text: "new"))
    }

    @Test func aRealFile() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "note-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        let disk = NoteDisk.file(url)
        #expect(try await disk.read() == nil)
        try await disk.write(NoteFile.encode(Note(title: "T", text: "a")))
        #expect(try await disk.read().map(NoteFile.decode) == Note(title: "T", text: "a"))
    }

    @Test func aSaveThatIsCancelledBeforeItWritesDoesNotReplaceANewerOne() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "note-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        let disk = NoteDisk.file(url)
        let newer = try NoteFile.encode(Note(text: "newer"))
        try await disk.write(newer)

        let older = Task {
            withUnsafeCurrentTask { task in task?.cancel() }
            try await disk.write(NoteFile.encode(Note(text: "older")))
        }

        await #expect(throws: CancellationError.self) { try await older.value }
        #expect(try await disk.read() == newer)
    }

    /// The observer is isolated to the main actor, and another thread changes the text.
    @MainActor
    @Test func waitingForObserversIncludesASaveThatAnObserverSends() async throws {
        let file = MemoryFile()
        let component = Component(
            initialState: Editor(), environment: file.disk, dispatcher: editor(clock: NoPause()))
        component.observe(\.unsaved) { [weak component] note in
            if let note { component?.send(.save(note)) }
        }
        await component.send(.load).finish()

        try await Task.detached {
            component.send(.setText("last words"))
            try await component.settledIncludingObservers()
            #expect(file.note == Note(text: "last words"))
        }.value
    }
}
