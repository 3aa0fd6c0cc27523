// Combine is not available on Linux, so this file is neither compiled nor tested there.

#if canImport(Combine)
    import ArchitectureEngine
    public import Combine
    import FunctionalCore

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
        /// A publisher of the current value, and then of each value that differs from the one before.
        ///
        /// It emits values on the thread that processes the action, and finishes when the store is deallocated. Until
        /// it is subscribed to, it retains the store. A subscriber with a limited demand receives the latest value.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred { [view] in
                // Unchecked: Combine's subjects may be used from any thread.
                let subject = Unchecked(CurrentValueSubject<Value?, Never>(nil))
                let observer = Observer<Value>(Cancellation { subject.value.send(completion: .finished) }) {
                    subject.value.send($0.pointee)
                }
                let registration = view.attach(observer.onlyChanges(by: view.isSame))
                return subject.value.compactMap { $0 }.handleEvents(receiveCancel: { registration.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }
#endif
