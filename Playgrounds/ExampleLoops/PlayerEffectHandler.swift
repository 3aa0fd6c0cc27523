import FunctionalCore
import Loop

/// Returns the specification's router. Each effect uses the simplest kind of route that suffices.
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
            .usersFetched(try await environment.fetchUsers(ids))
        } onError: { error, _ in
            .usersFetched(UserList(failures: ["\(error)"]))
        }
}
