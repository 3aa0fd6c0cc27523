// Code for SwiftUI. `.ci/platforms` type-checks it; no test runs it.

#if canImport(SwiftUI)
    public import SwiftUI

    extension Component {
        /// Returns a binding that reads a part of the state, and sends an input for each value that is written.
        ///
        /// ```swift
        /// TextField("Name", text: component.binding(\.name, send: ProfileInput.nameChanged))
        /// ```
        ///
        /// The view that reads the binding is updated when the part changes, as with ``scope(state:input:)``. If the
        /// component is idle and the dispatcher changes the part synchronously, the binding returns the new value as
        /// soon as it has been written. A control that is being edited needs this. If another thread is using the
        /// component, the input is enqueued, and the binding returns the old value until the input is processed.
        ///
        /// An animation of the binding applies to changes that are made before the write ends. The binding retains the
        /// component. The idea comes from the bindings of stores in the Composable Architecture.
        ///
        /// - Parameters:
        ///   - part: The key path to the part of the state.
        ///   - input: Returns the input for a value that is written.
        @MainActor public func binding<Value: Equatable & Sendable>(
            _ part: any KeyPath<S, Value> & Sendable, send input: @escaping @Sendable (Value) -> Input
        ) -> Binding<Value> {
            Binding(of: scope(state: part, input: input))
        }
    }

    extension Scope {
        /// Returns a binding that reads a part of this part, and sends an input for each value that is written.
        ///
        /// See ``Component/binding(_:send:)``.
        @MainActor public func binding<Value: Equatable & Sendable>(
            _ part: any KeyPath<S, Value> & Sendable, send input: @escaping @Sendable (Value) -> Input
        ) -> Binding<Value> {
            Binding(of: scope(state: part, input: input))
        }
    }

    extension Binding where Value: Equatable & Sendable {
        /// Creates a binding to a scope whose inputs are the values of its part. A write sends the value within the
        /// transaction of the write, so that the animation of the transaction applies to the changes.
        fileprivate init(of scope: Scope<Value, Value>) {
            self.init(get: { scope.state }, set: { value, write in _ = withTransaction(write) { scope.send(value) } })
        }
    }
#endif
