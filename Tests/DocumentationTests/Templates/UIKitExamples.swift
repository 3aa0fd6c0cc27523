// The code of the article on SwiftUI and UIKit that needs UIKit. `.ci/platforms` type-checks it.

#if canImport(UIKit)
    import Dispatcher
    import Effects
    import Loop
    import UIKit

//@block Dispatcher/SwiftUIAndUIKit final class AuthorViewController

//@block Dispatcher/SwiftUIAndUIKit @MainActor func show(_

//@block Dispatcher/SwiftUIAndUIKit final class AuthorLoopViewController
#endif
