// Not built on Linux, where there is no Combine, and not tried there.

#if canImport(Combine)
    import ArchitectureEngine
    public import Combine
    import FunctionalCore

    extension ActionStream {
        /// A stream of what a publisher emits, as an effect's answer.
        ///
        /// It is made and subscribed to in a task, which is cancelled with the effect. What it emits faster than the
        /// store handles it waits, all of it; its failure is the stream's.
        ///
        /// ```swift
        /// .flatMap { get in ActionStream(session.dataTaskPublisher(for: get.url).map(Loaded.init)) }
        /// ```
        public init<Source: Publisher & SendableMetatype>(
            _ publisher: @escaping @Sendable @autoclosure () -> Source
        ) where Source.Output == Output {
            self.init(of: { publisher().buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).values })
        }
    }

    extension Selection {
        /// The value as it is now, and then each that differs from the one before, on the thread that handles the
        /// action. It finishes with the store, which it holds until it is subscribed to.
        ///
        /// To who takes values slowly the latest is given.
        public var publisher: AnyPublisher<Value, Never> {
            Deferred { [attach] in
                let values = Values<Value>()
                let observer = Observer<Value>(Cancellation { values.subject.send(completion: .finished) }) {
                    values.subject.send($0.pointee)
                }
                let registration = attach(observer)
                return values.subject.compactMap { $0 }.handleEvents(receiveCancel: { registration.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }

    /// The values on their way to one subscriber.
    ///
    /// Unchecked: Combine's subjects may be used from any thread.
    private final class Values<Value>: @unchecked Sendable {
        let subject = CurrentValueSubject<Value?, Never>(nil)
    }
#endif
