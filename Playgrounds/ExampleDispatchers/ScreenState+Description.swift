import ResourceLoading
import TerminalSupport

extension ScreenState: CustomStringConvertible {
    /// The state in a few words.
    package var description: String {
        switch self {
        case .empty: "empty"
        case .loading(nil): "loading"
        case .loading(let progress?): "loading: \(amount(progress))"
        case .loaded(let summary): "loaded: \(ProgressBar.exactAmount(summary.size)) of \(summary.type)"
        case .failed(let reason): "failed: \(reason)"
        case .cancelled(nil): "cancelled"
        case .cancelled(let progress?): "cancelled after \(amount(progress))"
        }
    }

    private func amount(_ progress: LoadProgress) -> String {
        let done = ProgressBar.amount(progress.bytes)
        return progress.total.map { "\(done) of \(ProgressBar.amount($0))" } ?? done
    }
}
