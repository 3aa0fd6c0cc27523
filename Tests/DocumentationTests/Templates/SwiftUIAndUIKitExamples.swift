// The code of the article on SwiftUI and UIKit that runs on every platform.

import Dispatcher
import Effects
import FunctionalCore
import Loop
import Testing

//@block Dispatcher/SwiftUIAndUIKit struct Author:

//@block Dispatcher/SwiftUIAndUIKit struct Song:

struct NameChanged: Action { let name: String }

var authorReducer: ReducerFn<Author> {
    on(NameChanged.self) { author, action in author.name = action.name }
}

var authorUpdate: Update<Author, AuthorInput, Never> {
    Update(inPlace: { author, input in
        switch input {
        case .nameChanged(let name): author.name = name
        case .publicChanged(let isPublic): author.isPublic = isPublic
        }
        return []
    })
}

@MainActor
@Suite("The article on SwiftUI and UIKit", .timeLimit(.minutes(10)))
struct SwiftUIAndUIKitExampleTests {
    @Test func theScopesOfSongsSendToThem() {
        let component = Component(
            initialState: Playlist(songs: [Song(id: 1), Song(id: 2)], opener: Song(id: 3)), environment: (),
            dispatcher: playlist)
        let songs = Array(component.scopes(state: \.songs, input: PlaylistInput.song))
        let opener = component.scope(part: Lens(\Playlist.opener).some(), input: PlaylistInput.opener)
        component.send(.remove(id: 1))
        songs[1].send(.titleChanged("Clair de lune"))
        opener?.send(.lovedChanged(true))
        #expect(songs[0].send(.lovedChanged(true)).isCancelled)
        #expect(component.state.songs == [Song(id: 2, title: "Clair de lune")])
        #expect(component.state.opener == Song(id: 3, isLoved: true))
    }

    @Test func theLogicChangesTheAuthor() {
        let component = Component(initialState: Author(), environment: (), dispatcher: author)
        let store = Store(reducer: authorReducer, initialState: Author())
        let loop = Mobius.loop(update: authorUpdate, effectHandler: EffectRouter<Never, AuthorInput>())
            .start(from: Author())

        component.send(.nameChanged("Ada"))
        component.send(.publicChanged(true))
        store.dispatch(action: NameChanged(name: "Ada"))
        loop.dispatchEvent(.nameChanged("Ada"))
        loop.dispatchEvent(.publicChanged(true))

        #expect(component.state == Author(name: "Ada", isPublic: true))
        #expect(store.state == Author(name: "Ada"))
        #expect(loop.latestModel == Author(name: "Ada", isPublic: true))
    }
}
