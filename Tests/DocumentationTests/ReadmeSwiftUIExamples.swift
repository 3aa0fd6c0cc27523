// The README's code on SwiftUI.

#if canImport(SwiftUI)
    import Dispatcher
    import SwiftUI

    struct ForecastView: View {
        let component: Component<Forecast, ForecastInput>

        var body: some View {
            VStack {
                Text(component.state.city)
                Button("Oslo") { component.send(.show(city: "Oslo")) }
            }
        }
    }
#endif
