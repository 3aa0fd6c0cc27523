// The views of the recipes with lists. `.ci/platforms` type-checks them.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

//@block Dispatcher/RecipePaging struct PostListView

//@block Dispatcher/RecipeRows struct ShoppingView

//@block Dispatcher/RecipeRows struct ParcelView
#endif
