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

struct Note: Equatable, Sendable {
    var title = ""
    var text = ""
}

enum NoteFile {
    struct Version: Codable { var version: Int }
    struct Version1: Codable {
        var version = 1
        var text: String
    }
    struct Version2: Codable {
        var version = 2
        var title: String
        var text: String
    }
    struct UnknownVersion: Error { var version: Int }

    static func encode(_ note: Note) throws -> Data {
        try JSONEncoder().encode(Version2(title: note.title, text: note.text))
    }

    static func decode(_ data: Data) throws -> Note {
        let decoder = JSONDecoder()
        switch try decoder.decode(Version.self, from: data).version {
        case 1:
            let file = try decoder.decode(Version1.self, from: data)
            return Note(title: "Untitled", text: file.text)
        case 2:
            let file = try decoder.decode(Version2.self, from: data)
            return Note(title: file.title, text: file.text)
        case let version:
            throw UnknownVersion(version: version)
        }
    }
}

struct NoteDisk: Sendable {
    var read: @Sendable () async throws -> Data?
    var write: @Sendable (Data) async throws -> Void
}
actor DiskFile {
    let url: URL

    init(_ url: URL) { self.url = url }

    func read() throws -> Data? {
        FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil
    }

    func write(_ data: Data) throws {
        try Task.checkCancellation()
        try data.write(to: url, options: .atomic)
    }
}
extension NoteDisk {
    static func file(_ url: URL) -> NoteDisk {
        let file = DiskFile(url)
        return NoteDisk(read: { try await file.read() }, write: { data in try await file.write(data) })
    }
}

struct Editor: Equatable, Sendable {
    var note: Note?  // nil until the note is loaded
    var saved: Note?  // the note in the file
    var failure: String?

    var unsaved: Note? { note == saved ? nil : note }
}

// MARK: - A dispatcher

enum EditorInput: AutoPrism {
    case load
    case setText(String)
    case save(Note)
}
typealias EditorDispatcher = StateDispatcher<NoteDisk, Editor, EditorInput>

let editing = EditorDispatcher.workflow { input in
    switch input {
    case .load:
        [
            EnvIO { disk in
                let note = try await disk.read().map(NoteFile.decode) ?? Note()
                return .update { editor in
                    editor.note = note
                    editor.saved = note
                }
            }
        ]
    case .setText(let text): [.pure(.update { $0.note?.text = text })]
    case .save: []
    }
}

func editor(clock: some Clock<Duration>) -> EditorDispatcher {
    let saving = StateDispatcher<NoteDisk, Editor, Note>.effectful { note in
        EnvIO { disk in
            try await disk.write(NoteFile.encode(note))
            return .update { editor in
                editor.saved = note
                editor.failure = nil
            }
        }
        .retry(.exponential(base: .seconds(1)) && .recurs(3), clock: clock)
    }
    return EditorDispatcher.combine {
        editing
        saving
            .policy(.debounce(for: .seconds(1), clock: clock))
            .widen(transformInput: EditorInput.prism(for: EditorInput.save))
    }
    .handleError { error, _ in .update { $0.failure = "\(error)" } }
}

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

@Suite("The recipe for persistence", .timeLimit(.minutes(10)))
struct RecipePersistenceExampleTests {
    let scheduler = VirtualScheduler()

    private func makeEditor(_ file: MemoryFile) -> Component<Editor, EditorInput> {
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

    @Test func wiring() async throws {
        let (disk, clock) = (MemoryFile().disk, ContinuousClock())  // No time: the test does not wait for a save.

        let component = Component(initialState: Editor(), environment: disk, dispatcher: editor(clock: clock))
        component.observe(\.unsaved) { [weak component] note in
            if let note { component?.send(.save(note)) }
        }
        component.send(.load)

        try await component.settled()
        #expect(component.state == Editor(note: Note(), saved: Note()))
    }

    @Test func severalChangesAreSavedOnceAfterAPause() {
        let file = MemoryFile()
        let component = makeEditor(file)
        for text in ["H", "Ha", "Hat"] {
            component.send(.setText(text))
            scheduler.advance(by: .milliseconds(500))
        }
        #expect(file.writes.get() == 0)
        #expect(component.state.unsaved?.text == "Hat")
        scheduler.advance(by: .milliseconds(500))
        #expect(file.writes.get() == 1)
        #expect(file.note == Note(text: "Hat"))
        #expect(component.state.unsaved == nil)
    }

    @Test func loadingAloneDoesNotWrite() {
        let file = MemoryFile(#"{"version":2,"title":"T","text":"a"}"#)
        let component = makeEditor(file)
        scheduler.advance(by: .seconds(60))
        #expect(component.state.note == Note(title: "T", text: "a"))
        #expect(file.writes.get() == 0)
    }

    @Test func settledWaitsForAPendingSave() throws {
        let file = MemoryFile()
        let component = makeEditor(file)
        component.send(.setText("last words"))
        try scheduler.run { try await component.settled() }
        #expect(file.note == Note(text: "last words"))
    }

    @Test func aChangeThatIsTakenBackIsSavedInTheEnd() {
        let file = MemoryFile()
        let component = makeEditor(file)
        component.send(.setText("a"))
        component.send(.setText(""))
        scheduler.advance(by: .seconds(5))
        #expect(component.state.unsaved == nil)
        #expect(file.note == Note())
    }

    @Test func aFailedSaveIsRetriedAndThenReported() {
        let file = MemoryFile()
        file.failures.set(2)
        let component = makeEditor(file)
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
        let component = makeEditor(file)
        #expect(component.state.note == Note(title: "Untitled", text: "old"))
        #expect(file.writes.get() == 0)
        component.send(.setText("new"))
        scheduler.advance(by: .seconds(1))
        #expect(String(decoding: file.data.get() ?? Data(), as: UTF8.self).contains(#""version":2"#))
        #expect(file.note == Note(title: "Untitled", text: "new"))
    }

    @Test(arguments: [#"{"version":3,"pages":[]}"#, "not JSON"])
    func aFileThatCannotBeReadIsNotOverwritten(_ text: String) {
        let file = MemoryFile(text)
        let component = makeEditor(file)
        component.send(.setText("lost?"))
        scheduler.advance(by: .seconds(60))
        #expect(component.state.note == nil)
        #expect(component.state.failure != nil)
        #expect(file.writes.get() == 0)
        #expect(file.data.get() == Data(text.utf8))
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

let editorUpdate = Update<Editor, EditorEvent, EditorEffect>(inPlace: { editor, event in
    let before = editor.unsaved
    switch event {
    case .loaded(let note):
        editor.note = note
        editor.saved = note
    case .setText(let text):
        editor.note?.text = text
    case .saved(let note):
        editor.saved = note
        editor.failure = nil
    case .failed(let message):
        editor.failure = message
    }
    guard let note = editor.unsaved, note != before else { return [] }
    return [.save(note)]
})

func editorHandler(
    _ disk: NoteDisk, clock: some Clock<Duration>, executor: (any TaskExecutor)? = nil
) -> EffectRouter<EditorEffect, EditorEvent> {
    EffectRouter(executor: executor)
        .routeCase(.load)
        .toEvent {
            .loaded(try await disk.read().map(NoteFile.decode) ?? Note())
        } onError: { error, _ in
            .failed("\(error)")
        }
        .routeCase(EditorEffect.save).policy(.debounce(for: .seconds(1), clock: clock))
        .toEvent { note in
            try await disk.write(NoteFile.encode(note))
            return .saved(note)
        } onError: { error, _ in
            .failed("\(error)")
        }
}

@Suite("The recipe for persistence in a loop", .timeLimit(.minutes(10)))
struct RecipePersistenceLoopExampleTests {
    let scheduler = VirtualScheduler()

    private func makeLoop(_ file: MemoryFile) -> MobiusLoop<Editor, EditorEvent, EditorEffect> {
        let handler = editorHandler(file.disk, clock: scheduler.clock, executor: scheduler.executor)
        let loop = Mobius.loop(update: editorUpdate, effectHandler: handler).start(from: Editor(), effects: [.load])
        scheduler.drain()
        return loop
    }

    @Test func severalChangesAreSavedOnceAfterAPause() {
        let file = MemoryFile(#"{"version":1,"text":"old"}"#)
        let loop = makeLoop(file)
        for text in ["H", "Ha", "Hat"] {
            loop.dispatchEvent(.setText(text))
            scheduler.advance(by: .milliseconds(500))
        }
        #expect(file.writes.get() == 0)
        scheduler.advance(by: .milliseconds(500))
        #expect(file.writes.get() == 1)
        #expect(file.note == Note(title: "Untitled", text: "Hat"))
        #expect(loop.latestModel.unsaved == nil)
    }

    @Test func aChangeThatIsTakenBackIsSavedInTheEnd() {
        let file = MemoryFile()
        let loop = makeLoop(file)
        loop.dispatchEvent(.setText("a"))
        loop.dispatchEvent(.setText(""))
        scheduler.advance(by: .seconds(5))
        #expect(loop.latestModel.unsaved == nil)
        #expect(file.note == Note())
    }

    @Test func aFailedSaveIsShown() {
        let file = MemoryFile()
        file.failures.set(1)
        let loop = makeLoop(file)
        loop.dispatchEvent(.setText("a"))
        scheduler.advance(by: .seconds(1))
        #expect(loop.latestModel.failure != nil)
        #expect(loop.latestModel.unsaved == Note(text: "a"))
        loop.dispatchEvent(.setText("ab"))
        scheduler.advance(by: .seconds(1))
        #expect(loop.latestModel == Editor(note: Note(text: "ab"), saved: Note(text: "ab")))
    }

    @Test func aFileThatCannotBeReadIsNotOverwritten() {
        let file = MemoryFile("not JSON")
        let loop = makeLoop(file)
        loop.dispatchEvent(.setText("lost?"))
        scheduler.advance(by: .seconds(60))
        #expect(loop.latestModel.failure != nil)
        #expect(file.writes.get() == 0)
    }
}

// MARK: - A store

struct LoadNote: Action {}
struct NoteLoaded: Action { let note: Note }
struct SetText: Action { let text: String }
struct SaveNote: Action { let note: Note }
struct NoteSaved: Action { let note: Note }
struct NoteFailed: Action { let message: String }

let editorReducer: ReducerFn<Editor> = combineReducers(
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

let loadingNote = Effect<NoteDisk> { actions, disk in
    actions.ofType(LoadNote.self).flatMap { _ in
        ActionStream<any Action> { NoteLoaded(note: try await disk.read().map(NoteFile.decode) ?? Note()) }
            .replaceError { error in NoteFailed(message: "\(error)") }
    }
}

func savingNote(clock: some Clock<Duration>) -> Effect<NoteDisk> {
    Effect { actions, disk in
        actions.ofType(SaveNote.self)
            .debounce(for: .seconds(1), clock: clock)
            .flatMap(.latest) { save in
                ActionStream<any Action> {
                    try await disk.write(NoteFile.encode(save.note))
                    return NoteSaved(note: save.note)
                }
                .replaceError { error in NoteFailed(message: "\(error)") }
            }
    }
}

@Suite("The recipe for persistence in a store", .timeLimit(.minutes(10)))
struct RecipePersistenceStoreExampleTests {
    let scheduler = VirtualScheduler()

    private func makeStore(_ file: MemoryFile) -> Store<Editor> {
        let (disk, clock, executor) = (file.disk, scheduler.clock, scheduler.executor)

        let store = Store(
            reducer: editorReducer, initialState: Editor(), environment: disk,
            effects: [loadingNote, savingNote(clock: clock)], executor: executor)
        store.select(\.unsaved).observe { [weak store] note in
            if let note { store?.dispatch(action: SaveNote(note: note)) }
        }
        store.dispatch(action: LoadNote())

        scheduler.drain()
        return store
    }

    @Test func severalChangesAreSavedOnceAfterAPause() {
        let file = MemoryFile()
        let store = makeStore(file)
        for text in ["H", "Ha", "Hat"] {
            store.dispatch(action: SetText(text: text))
            scheduler.advance(by: .milliseconds(500))
        }
        #expect(file.writes.get() == 0)
        scheduler.advance(by: .milliseconds(500))
        #expect(file.writes.get() == 1)
        #expect(file.note == Note(text: "Hat"))
        #expect(store.state.unsaved == nil)
    }

    @Test func aChangeThatIsTakenBackIsSavedInTheEnd() {
        let file = MemoryFile()
        let store = makeStore(file)
        store.dispatch(action: SetText(text: "a"))
        store.dispatch(action: SetText(text: ""))
        scheduler.advance(by: .seconds(5))
        #expect(store.state.unsaved == nil)
        #expect(file.note == Note())
    }

    @Test func aFailedSaveIsShown() {
        let file = MemoryFile()
        file.failures.set(1)
        let store = makeStore(file)
        store.dispatch(action: SetText(text: "a"))
        scheduler.advance(by: .seconds(1))
        #expect(store.state.failure != nil)
        #expect(store.state.unsaved == Note(text: "a"))
        store.dispatch(action: SetText(text: "ab"))
        scheduler.advance(by: .seconds(1))
        #expect(store.state == Editor(note: Note(text: "ab"), saved: Note(text: "ab")))
    }

    @Test func aFileThatCannotBeReadIsNotOverwritten() {
        let file = MemoryFile("not JSON")
        let store = makeStore(file)
        store.dispatch(action: SetText(text: "lost?"))
        scheduler.advance(by: .seconds(60))
        #expect(store.state.failure != nil)
        #expect(file.writes.get() == 0)
    }
}
