import Dispatcher
import FunctionalCore
import Optics
import ResourceLoading

/// What a screen shows of a resource: a summary, never the data.
package enum ScreenState: Sendable, Equatable {
    case empty
    case loading(LoadProgress?)
    case loaded(ResourceSummary)
    case failed(reason: String)
    case cancelled(LoadProgress?)
}

package enum ScreenInput: Sendable, AutoPrism {
    case load(location: String)
    /// The load has been cancelled.
    case cancelled
}

package typealias ScreenDispatcher = StateDispatcher<ResourceLoader, ScreenState, ScreenInput>

/// The workflow example: one input has many answers. The screen says `loading` at once, follows the load, and shows
/// what came of it.
package let screenDispatcher = showing.combine(
    following.widen(transformInput: ScreenInput.prism(for: ScreenInput.load))
)

/// What can be shown without waiting.
private let showing = ScreenDispatcher.pure { input in
    switch input {
    case .load: .set(.loading(nil))
    case .cancelled:
        // A load that ended before it could be cancelled stays what it is.
        .update { screen in
            if case .loading(let progress) = screen { screen = .cancelled(progress) }
        }
    }
}

/// What a load tells, as it comes, its failure included. Its input is the location alone.
private let following = StateDispatcher<ResourceLoader, ScreenState, String>.stream { location, loader in
    loader.events(location)
        .map { event in
            switch event {
            case .progress(let progress): ScreenState.loading(progress)
            case .loaded(let summary): ScreenState.loaded(summary)
            }
        }
        .map { screen in .set(screen) }
}
.handleError { error, _ in .set(.failed(reason: "\(error)")) }
