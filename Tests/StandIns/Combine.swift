// A stand-in for Combine: what the library and its documentation use of it. See README.md in this folder.

// documentation/combine/publisher
public protocol Publisher<Output, Failure> {
    // unverified
    associatedtype Output

    // unverified
    associatedtype Failure: Error

    // unverified
    func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

// unverified
public protocol Subscriber<Input, Failure> {
    // unverified
    associatedtype Input

    // unverified
    associatedtype Failure: Error
}

// unverified. The library has a type of the same name, in Dispatcher.
public protocol Subscription {}

// documentation/combine/subject
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    // documentation/combine/subject/send(_:)
    func send(_ value: Output)
    // unverified
    func send(completion: Subscribers.Completion<Failure>)
}

// unverified
public enum Subscribers {
    // unverified
    public enum Completion<Failure: Error> {
        // unverified
        case finished

        // unverified
        case failure(Failure)
    }

    // unverified
    public struct Demand {}
}

// unverified
public enum Publishers {
    // documentation/combine/publishers/prefetchstrategy
    public enum PrefetchStrategy: Hashable {
        // documentation/combine/publishers/prefetchstrategy/keepfull
        case keepFull
        // documentation/combine/publishers/prefetchstrategy
        case byRequest
    }

    // documentation/combine/publishers/bufferingstrategy
    public enum BufferingStrategy<Failure: Error> {
        // unverified
        case dropNewest
        // documentation/combine/publishers/bufferingstrategy/dropoldest
        case dropOldest
        // documentation/combine/publishers/bufferingstrategy/customerror(_:)
        case customError(() -> Failure)
    }

    // documentation/combine/publishers/buffer
    public struct Buffer<Upstream: Publisher>: Publisher {
        // unverified
        public typealias Output = Upstream.Output

        // unverified
        public typealias Failure = Upstream.Failure

        // unverified
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
    }

    // documentation/combine/publishers/compactmap
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        // unverified
        public typealias Failure = Upstream.Failure

        // unverified
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
    }

    // documentation/combine/publishers/handleevents
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        // unverified
        public typealias Output = Upstream.Output

        // unverified
        public typealias Failure = Upstream.Failure

        // unverified
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
    }
}

extension Publisher {
    // documentation/combine/publisher/buffer(size:prefetch:whenfull:)
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        fatalError()
    }

    // documentation/combine/publisher/compactmap(_:)
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> { fatalError() }

    // documentation/combine/publisher/handleevents(receivesubscription:receiveoutput:receivecompletion:receivecancel:receiverequest:)
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        fatalError()
    }

    // unverified
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }

    // documentation/combine/publisher/values-v7nz
    public var values: AsyncThrowingPublisher<Self> { fatalError() }
}

extension Publisher where Failure == Never {
    // documentation/combine/publisher/values-1dm9r
    public var values: AsyncPublisher<Self> { fatalError() }
}

// documentation/combine/asyncpublisher
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    // unverified
    public typealias Element = P.Output

    // unverified
    public struct Iterator: AsyncIteratorProtocol {
        // unverified
        public mutating func next() async -> P.Output? { fatalError() }
    }

    // unverified
    public func makeAsyncIterator() -> Iterator { fatalError() }
}

// documentation/combine/asyncthrowingpublisher
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    // documentation/combine/asyncthrowingpublisher/element
    public typealias Element = P.Output

    // unverified
    public struct Iterator: AsyncIteratorProtocol {
        // unverified
        public mutating func next() async throws -> P.Output? { fatalError() }
    }

    // unverified
    public func makeAsyncIterator() -> Iterator { fatalError() }
}

// documentation/combine/anypublisher
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    // unverified
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}

// documentation/combine/deferred. The library has a type of the same name, in FunctionalCore.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    // unverified
    public typealias Output = DeferredPublisher.Output

    // unverified
    public typealias Failure = DeferredPublisher.Failure

    // documentation/combine/deferred/init(createpublisher:)
    public init(createPublisher: @escaping () -> DeferredPublisher) {}

    // unverified
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}

// documentation/combine/currentvaluesubject. It is not Sendable.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    // documentation/combine/currentvaluesubject/init(_:)
    public init(_ value: Output) {}

    // unverified
    public func send(_ value: Output) {}

    // unverified
    public func send(completion: Subscribers.Completion<Failure>) {}

    // unverified
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {}
}
