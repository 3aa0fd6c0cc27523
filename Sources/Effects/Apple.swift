// Code for Combine and SwiftUI. `.ci/platforms` type-checks it; no test runs it.

#if canImport(Combine) && canImport(SwiftUI)
    import ArchitectureEngine
    public import Combine
    import FunctionalCore
    public import SwiftUI

    extension ActionStream {
        /// Creates a stream of the values of a publisher, for example as the answer of an effect.
        ///
        /// The publisher is created and subscribed to in a task that is cancelled when the effect ends. Values that it
        /// emits faster than the store processes them are buffered without a limit. If the publisher fails, the stream
        /// fails.
        ///
        /// ```swift
        /// .flatMap { get in ActionStream(session.dataTaskPublisher(for: get.url).map(Loaded.init)) }
        /// ```
        ///
        /// - Parameter publisher: The publisher. It is evaluated in the task.
        public init<Source: Publisher & SendableMetatype>(
            _ publisher: @escaping @Sendable @autoclosure () -> Source
        ) where Source.Output == Output {
            self.init(of: { publisher().buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).values })
        }
    }

    extension Selection {
        /// A publisher of the current value, and then of each value that differs from the previous value.
        ///
        /// It emits each change on the thread that processes the action, and finishes when the store is deallocated.
        /// The publisher retains the store, and its subscriptions do not. If a subscriber has no demand when values
        /// arrive, it receives only the latest of them later.
        public var publisher: AnyPublisher<Value, Never> {
            Combine.Deferred { [view] in
                // Unchecked: Combine's subjects may be used from any thread.
                let subject = Unchecked(CurrentValueSubject<Value?, Never>(nil))
                let observer = Observer<Value>(Cancellation { subject.value.send(completion: .finished) }) {
                    subject.value.send($0.value)
                }
                let registration = view.attach(observer.onlyChanges(by: view.isSame))
                return subject.value.compactMap { $0 }.handleEvents(receiveCancel: { registration.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    extension Store {
        /// Returns a binding that reads a part of the state, and dispatches an action for each value that is written.
        ///
        /// ```swift
        /// TextField("Title", text: store.binding(\.title, dispatch: TitleChanged.init))
        /// ```
        ///
        /// The view that reads the binding is updated when the part changes, as with ``Selection/value``. If no other
        /// action is being processed and the reducer changes the part, the binding returns the new value as soon as it
        /// has been written. A control that is being edited needs this. If another thread is processing an action, the
        /// new action is enqueued, and the binding returns the old value until the new action is processed.
        ///
        /// An animation of the binding applies to changes that are made before the write ends. The binding retains the
        /// store.
        ///
        /// - Parameters:
        ///   - part: The key path to the part of the state.
        ///   - action: Returns the action for a value that is written.
        @MainActor public func binding<Value: Equatable & Sendable>(
            _ part: any KeyPath<S, Value> & Sendable, dispatch action: @escaping @Sendable (Value) -> any Action
        ) -> Binding<Value> {
            Binding(of: scope(state: part), dispatch: action)
        }
    }

    extension Selection {
        /// Returns a binding that reads a part of this value, and dispatches an action for each value that is written.
        ///
        /// See ``Store/binding(_:dispatch:)``.
        @MainActor public func binding<Part: Equatable & Sendable>(
            _ part: any KeyPath<Value, Part> & Sendable, dispatch action: @escaping @Sendable (Part) -> any Action
        ) -> Binding<Part> {
            Binding(of: scope(state: part), dispatch: action)
        }
    }

    extension Binding where Value: Equatable & Sendable {
        /// Creates a binding to the value of `scope`. A write dispatches an action within the transaction of the write,
        /// so the transaction's animation applies to the changes.
        fileprivate init(of scope: Selection<Value>, dispatch action: @escaping @Sendable (Value) -> any Action) {
            self.init(
                get: { scope.value },
                set: { value, write in withTransaction(write) { scope.dispatch(action: action(value)) } })
        }
    }
#endif
