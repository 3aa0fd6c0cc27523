/// An event of a load: progress any number of times, and then the summary as the last event.
public enum LoadEvent: Sendable, Hashable {
    case progress(LoadProgress)
    case loaded(ResourceSummary)
}
