/// What a load tells while it runs: progress any number of times, then the summary, once and last.
public enum LoadEvent: Sendable, Hashable {
    case progress(LoadProgress)
    case loaded(ResourceSummary)
}
