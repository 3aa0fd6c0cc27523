extension Resource {
    /// Returns a resource that applies `transform` to failures of acquiring and releasing this resource.
    ///
    /// Failures of the program that uses the resource are not transformed.
    ///
    /// ```swift
    /// let both = connection.mapError(AppError.network).zip(log.mapError(AppError.files))
    /// ```
    ///
    /// - Complexity: When the resource is released, the stack depth is O(n) in the number of nested `mapError` calls.
    ///   Other operations on resources use constant stack space.
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
            let keepEnd: @Sendable (inout Machine) -> Outcome<Void, any Error> = { machine in
                mapping.map(&machine)
                let end = use.keepEnd(&machine)
                // Transforms a failure of the release that follows.
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
                    return machine.core.arrived
                }
            )
            return begin(ResourceUse(body: body, keepEnd: keepEnd), &machine)
        }
    }
}

extension Resource where Failure == Never {
    /// Returns this resource, which cannot fail, with another failure type.
    ///
    /// Use it where a resource that can fail is expected.
    public func setFailureType<NewFailure: Error>(
        to type: NewFailure.Type = NewFailure.self
    ) -> Resource<Environment, NewFailure, Value> {
        // A resource that cannot fail never stores a failure in the register, so its nodes are valid for any failure
        // type.
        Resource<Environment, NewFailure, Value>(node: node)
    }
}

/// Transforms the failures of one run of a resource, from its start until it has been completely acquired.
///
/// Later failures come from the program that uses the resource, and already have the new type.
///
/// Unchecked: the object belongs to one run, which only one thread at a time uses.
private final class FailureMapping<Failure: Error, NewFailure: Error>: @unchecked Sendable {
    private let transform: @Sendable (Failure) -> NewFailure
    var isOver = false

    init(_ transform: @escaping @Sendable (Failure) -> NewFailure) {
        self.transform = transform
    }

    /// Transforms the failure in the register, if the source of the running node failed.
    func map(_ machine: inout Machine) {
        guard !isOver, machine.core.arrived == .failure else { return }
        isOver = true
        machine.put(transform(machine.take()))
    }
}
