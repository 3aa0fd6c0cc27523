// The views of the recipe for paging. `.ci/platforms` type-checks them.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

//@block Dispatcher/RecipePaging struct PostListView
#endif
