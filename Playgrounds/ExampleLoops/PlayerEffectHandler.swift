import FunctionalCore
import Loop

/// The specification's router, each effect handled in the least complicated way that does.
package func playerEffectHandler(_ environment: PlayerEnvironment) -> EffectRouter<PlayerEffect, PlayerEvent> {
    EffectRouter<PlayerEffect, PlayerEvent>()
        .routeCase(PlayerEffect.closeApplication)
        .to { environment.closeApplication() }
        .routeCase(PlayerEffect.stopPlayback)
        .toEvent {
            environment.stopPlayback()
            return .playbackStopped
        }
        .routeCase(PlayerEffect.fetchUsers)
        .policy(.latest)
        .toEvent { ids in
            do {
                return .usersFetched(try await environment.fetchUsers(ids))
            } catch {
                return .fetchFailed(reason: "\(error)")
            }
        }
}
