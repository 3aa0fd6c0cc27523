/// The methods of a store that do not depend on the type of its state.
@usableFromInline
protocol AnyStore: AnyObject, Sendable {
    func dispatch(action: any Action)
    /// Registers an effect. If `isPresent` is not `nil`, the effect ends when this returns `false` after a change.
    func register(_ effect: Effect<Void>, while isPresent: (@Sendable () -> Bool)?) -> EffectRegistration
}

extension Store: AnyStore {
    @usableFromInline
    func register(_ effect: Effect<Void>, while isPresent: (@Sendable () -> Bool)?) -> EffectRegistration {
        guard let isPresent else { return register(effect) }
        return EffectRegistration(runtime.register(effect, while: isPresent))
    }
}
