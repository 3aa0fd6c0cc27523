/// What a stream does with the store's actions, and which types of them it wants.
///
/// Unchecked: what it calls is touched while the store handles something.
final class Listener: @unchecked Sendable {
    let run: StreamRun
    private let types: ActionTypes?
    // Exclusivity is what the store's drain is for.
    @exclusivity(unchecked)
    private var receive: ((any Action) -> Void)?

    init(
        _ run: StreamRun, to types: ActionTypes?, _ receive: @escaping (any Action) -> Void
    ) {
        self.run = run
        self.types = types
        self.receive = receive
    }

    func wants(_ action: any Action) -> Bool {
        types?.contain(action) ?? true
    }

    /// Whether it wants all actions of a type. `nil` if that takes an action to tell.
    func wants(_ type: any Action.Type) -> Bool? {
        types == nil ? true : types?.containAll(type)
    }

    func hear(_ action: any Action) {
        receive?(action)
    }

    /// Whether it has ended, and calls nothing any more.
    var isSilent: Bool { receive == nil }

    /// Calls nothing any more. The caller releases what is returned, where that may call back.
    func fallSilent() -> ((any Action) -> Void)? {
        defer { receive = nil }
        return receive
    }
}
