// The view of the article for those who come from view models. `.ci/platforms` type-checks it.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

//@block FunctionalArchitecture/ComingFromObservableViewModels struct BookSearchView
#endif
