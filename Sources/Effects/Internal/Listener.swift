/// Who wants the store's actions, and by their type alone, which.
///
/// Unchecked: what it calls is touched while the store handles something.
final class Listener: @unchecked Sendable {
    let run: StreamRun
    private let test: (@Sendable (any Action) -> Bool)?
    // Exclusivity is what the store's drain is for.
    @exclusivity(unchecked)
    private var receive: ((any Action) -> Void)?

    init(
        _ run: StreamRun, by test: (@Sendable (any Action) -> Bool)?, _ receive: @escaping (any Action) -> Void
    ) {
        self.run = run
        self.test = test
        self.receive = receive
    }

    func wants(_ action: any Action) -> Bool {
        test?(action) ?? true
    }

    func hear(_ action: any Action) {
        receive?(action)
    }

    /// Calls nobody any more. What is returned is to be freed by the caller, where that may call back.
    func fallSilent() -> ((any Action) -> Void)? {
        defer { receive = nil }
        return receive
    }
}
