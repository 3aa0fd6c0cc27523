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
            // Whether the resource has been completely acquired, or has failed. Later failures come from the program
            // that uses the resource, and already have the new type.
            let isOver = RunVariable(false)
            let map: Node.Step = { machine in
                let failure = machine.take(as: Failure.self)
                return EnvIO<Environment, NewFailure, Void>.fail(transform(failure)).replacing(failure).enter(&machine)
            }
            let mapOnce: Node.Step = { machine in
                guard !isOver.value, machine.core.arrived == .failure else { return machine.core.arrived }
                isOver.value = true
                return map(&machine)
            }
            let body = Node(accepting: .value) { machine in
                isOver.value = true
                machine.push(use.body)
                return .value
            }
            let keepEnd: @Sendable (inout Machine) -> Outcome<Void, any Error> = { machine in
                _ = mapOnce(&machine)
                let end = use.keepEnd(&machine)
                // Transforms a failure of the release that follows.
                machine.push(Node(accepting: .failure, map))
                return end
            }
            machine.push(Node(mapOnce))
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
