// The code on SwiftUI of the article that a newcomer starts with.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

//@block FunctionalArchitecture/StartHere struct ForecastView
#endif
