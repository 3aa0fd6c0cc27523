// The code of the article on SwiftUI and UIKit that needs AppKit. `.ci/platforms` type-checks it.

#if canImport(AppKit)
    import AppKit
    import Dispatcher

//@block Dispatcher/SwiftUIAndUIKit final class AuthorPaneController
#endif
