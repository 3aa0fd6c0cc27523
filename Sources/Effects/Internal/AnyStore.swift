/// The methods of a store that do not depend on the type of its state.
@usableFromInline
protocol AnyStore: AnyObject, Sendable {
    func dispatch(action: any Action)
    func register(_ effect: Effect<Void>) -> EffectRegistration
}

extension Store: AnyStore {}
