// Code for SwiftUI. `.ci/platforms` type-checks it; no test runs it.

#if canImport(SwiftUI)
    public import SwiftUI

    extension MobiusLoop {
        /// Returns a binding that reads a part of the model, and dispatches an event for each value that is written.
        ///
        /// ```swift
        /// TextField("Name", text: loop.binding(\.name, dispatch: ProfileEvent.nameChanged))
        /// ```
        ///
        /// If no other event is being processed, the binding returns the new value as soon as it has been written. A
        /// control that is being edited needs this. If another thread is processing an event, the new event is
        /// enqueued, and the binding returns the old value until the new event is processed.
        ///
        /// An animation of the binding applies to changes that are made before the write ends. The binding retains the
        /// loop. Values that are written after the loop is disposed are ignored, since a control may write a last value
        /// when its view disappears.
        ///
        /// - Parameters:
        ///   - part: The key path to the part of the model.
        ///   - event: Returns the event for a value that is written.
        @MainActor public func binding<Value: Sendable>(
            _ part: any KeyPath<Model, Value> & Sendable, dispatch event: @escaping @Sendable (Value) -> Event
        ) -> Binding<Value> {
            Binding(
                get: { self.latestModel[keyPath: part] },
                set: { value, write in withTransaction(write) { self.dispatchUnlessDisposed(event(value)) } })
        }
    }
#endif
