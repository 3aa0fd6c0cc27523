import FunctionalCore

extension Mobius {
    /// The source of an error that an observer of errors receives; see ``Builder/onError(_:)``.
    public enum ErrorSource: Sendable, CustomStringConvertible {
        /// The handler of an effect. The value is the effect if an ``EffectSwitch`` handles it, and otherwise the
        /// parameters that its route passes to the handler.
        case effect(any Sendable)
        /// The clock of a route's policy. The effects that waited for the clock are dropped.
        case policy
        /// The event source.
        case eventSource

        /// A text that names the source, and the effect or its parameters.
        public var description: String {
            switch self {
            case .effect(let effect): "The handler of the effect \(effect)"
            case .policy: "The clock of a policy"
            case .eventSource: "The event source"
            }
        }
    }

    @usableFromInline
    typealias ErrorObserver = @Sendable (any Error, ErrorSource) -> Void

    /// Passes an error to the observer. If `observer` is `nil`, writes the error to standard error, with the redactions
    /// of the trace if there is one.
    static func report(_ error: any Error, of source: ErrorSource, to observer: ErrorObserver?, _ tracer: Tracer?) {
        if let observer { return observer(error, source) }
        let source =
            if case .effect(let effect) = source, let tracer {
                ErrorSource.effect(tracer.redacted(tracer.part(effect)))
            } else { source }
        FunctionalCore.report("\(source) failed, and no observer of errors is registered: \(tracer.text(of: error))")
    }
}
