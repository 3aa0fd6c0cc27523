import Dispatcher
import FunctionalCore
import Optics
import ResourceLoading

/// The state of a screen that shows the summary of a resource, without its data.
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

/// The workflow example: one input causes several changes. The screen shows `loading` at once, then the progress of
/// the load, and then its result.
package var screenDispatcher: ScreenDispatcher {
    showing.combine(
        following.widen(transformInput: ScreenInput.prism(for: ScreenInput.load))
    )
}

/// The changes that need no waiting.
private var showing: ScreenDispatcher {
    .pure { input in
        switch input {
        case .load: return .set(.loading(nil))
        case .cancelled:
            // A load that ended before its cancellation keeps its result.
            return .update { screen in
                if case .loading(let progress) = screen { screen = .cancelled(progress) }
            }
        }
    }
}

/// Shows the events of a load as they arrive, including its failure. The input is the location.
private var following: StateDispatcher<ResourceLoader, ScreenState, String> {
    .stream { location, loader in
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
}
