extension Resource {
    /// This resource, with `transform` applied to the failures of acquiring and of releasing it. Those of the use are
    /// not among them.
    ///
    /// Unlike other resources, those with thousands of these around one another are as deep on the stack when they are
    /// released.
    ///
    /// ```swift
    /// let both = connection.mapError(AppError.network).zip(log.mapError(AppError.files))
    /// ```
    public func mapError<NewFailure: Error>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Resource<Environment, NewFailure, Value> {
        Resource<Environment, NewFailure, Value> { use, machine in
            let mapping = FailureMapping(transform)
            let body = Node(accepting: .value) { machine in
                mapping.isOver = true
                machine.push(use.body)
                return .value
            }
            let keepEnd: (inout Machine) -> Outcome<Void, any Error> = { machine in
                mapping.map(&machine)
                let end = use.keepEnd(&machine)
                // The failure of the release that follows.
                machine.push(
                    Node(accepting: .failure) { machine in
                        machine.put(transform(machine.take()))
                        return .failure
                    }
                )
                return end
            }
            machine.push(
                Node { machine in
                    mapping.map(&machine)
                    return machine.arrived
                }
            )
            return begin(ResourceUse(body: body, keepEnd: keepEnd), &machine)
        }
    }
}

extension Resource where Failure == Never {
    /// The same resource where one is asked for that can fail.
    public func setFailureType<NewFailure: Error>(
        to type: NewFailure.Type = NewFailure.self
    ) -> Resource<Environment, NewFailure, Value> {
        // One that cannot fail never fills the register with a failure: its nodes serve any failure type.
        Resource<Environment, NewFailure, Value>(node: node)
    }
}

/// Where the failures of one run of a resource become others: from when it begins until all of it has been acquired.
/// What fails from then on is the use, whose failures are of the new type already.
///
/// Unchecked: it belongs to a run, which one thread at a time uses.
private final class FailureMapping<Failure: Error, NewFailure: Error>: @unchecked Sendable {
    private let transform: @Sendable (Failure) -> NewFailure
    var isOver = false

    init(_ transform: @escaping @Sendable (Failure) -> NewFailure) {
        self.transform = transform
    }

    /// Makes the failure in the register, if that is how the source of the running node ended, one of the new type.
    func map(_ machine: inout Machine) {
        guard !isOver, machine.arrived == .failure else { return }
        isOver = true
        machine.put(transform(machine.take()))
    }
}
