public import ArchitectureEngine

/// Reads a part of a state in place if the part is a stored property, and otherwise through its key path.
@usableFromInline
struct PartReader<S, Part>: Sendable {
    @usableFromInline let path: any KeyPath<S, Part> & Sendable
    @usableFromInline let offset: Int?

    @inlinable
    init(_ path: any KeyPath<S, Part> & Sendable) {
        self.path = path
        offset = MemoryLayout<S>.offset(of: path as KeyPath<S, Part>)
    }

    /// Reads the part of the state as it is now.
    ///
    /// A computed part is evaluated outside of the lock: it is the state's own code, and may read the state again.
    @usableFromInline
    func read<Payload, Failure>(from core: RuntimeCore<S, Payload, Failure>) -> Part {
        offset != nil ? core.read { state in state[keyPath: path] } : core.read { state in state }[keyPath: path]
    }

    @inlinable
    @inline(__always)
    func read(_ whole: UnsafePointer<S>, _ body: (UnsafePointer<Part>) -> Void) {
        if let offset {
            // A `Part` is stored at this offset of every `S`: that is what an offset of a key path says.
            body((UnsafeRawPointer(whole) + offset).assumingMemoryBound(to: Part.self))
        } else {
            withUnsafePointer(to: whole.pointee[keyPath: path], body)
        }
    }
}

extension Observer {
    /// The same for a whole of which this one sees a part.
    @inlinable
    func on<Whole>(_ part: PartReader<Whole, Value>) -> Observer<Whole> {
        Observer<Whole>(cancellation) { [accept] whole in part.read(whole, accept) }
    }
}
