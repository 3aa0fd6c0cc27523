public import FunctionalCore
public import ResourceLoading

/// Returns a program that loads `locations` as the plan says and returns the result of each.
///
/// The program fails with `TimeoutError` after the total time of the plan. Before it fails or is cancelled, it ends
/// each load and sends its `ended` event.
public func fetchMany(
    _ locations: [String], _ plan: FetchPlan, clock: some Clock<Duration> = .continuous
) -> EnvIO<Fetching, any Error, [Result<ResourceSummary, any Error>]> {
    Array(locations.enumerated())
        .parTraverse(limit: plan.atOnce) { index, location in fetch(location, index, plan, clock) }
        .timeout(plan.total, clock: clock)
}

/// Loads one location. The program does not fail, so that a location that cannot be loaded does not stop the others.
private func fetch(
    _ location: String, _ index: Int, _ plan: FetchPlan, _ clock: some Clock<Duration>
) -> EnvIO<Fetching, any Error, Result<ResourceSummary, any Error>> {
    let attempt = tell(.began(index))
        .followed(by: load(location, index))
        .timeout(plan.timeout, clock: clock)
        .handleErrorWith { error in
            tell(.stumbled(index, error)).followed(by: .fail(error))
        }
    let schedule = Schedule<any Error>.exponential(base: plan.backoff)
        .capped(at: max(plan.backoff, .seconds(10)))
        .jittered(by: plan.jitter)
        .whileInput(isTransient)
    return
        attempt
        .retry(schedule && .recurs(plan.retries), clock: clock)
        .attempt()
        .setFailureType(to: (any Error).self)
        .guaranteeCase { outcome in
            switch outcome {
            case .value(let result): tell(.ended(index, result))
            case .failure, .cancelled: tell(.ended(index, nil))
            }
        }
}

private func load(_ location: String, _ index: Int) -> EnvIO<Fetching, any Error, ResourceSummary> {
    EnvIO { fetching in
        do {
            return try await fetching.loader.load(location) { fetching.tell(.progressed(index, $0)) }
        } catch LoadError.cancelled {
            throw CancellationError()
        }
    }
}

private func tell(_ event: FetchEvent) -> EnvIO<Fetching, any Error, Void> {
    EnvIO { (fetching: Fetching) throws(any Error) in fetching.tell(event) }
}

/// Whether another try may succeed.
private func isTransient(_ error: any Error) -> Bool {
    switch error {
    case is TimeoutError, LoadError.connectionLost, LoadError.connectionRefused, LoadError.timedOut,
        LoadError.notAnswered, LoadError.malformedAnswer:
        true
    case LoadError.status(let status, _): status >= 500 || status == 408 || status == 429
    default: false
    }
}
