// The README's code on SwiftUI.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

//@block README struct ForecastView
#endif
