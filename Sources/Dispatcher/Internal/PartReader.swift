/// Shows a part of a state where it lies, if it is stored there, or else what a key path makes of it.
@usableFromInline
struct PartReader<S, Part>: Sendable {
    @usableFromInline let path: any KeyPath<S, Part> & Sendable
    @usableFromInline let offset: Int?

    @inlinable
    init(_ path: any KeyPath<S, Part> & Sendable) {
        self.path = path
        offset = MemoryLayout<S>.offset(of: path as KeyPath<S, Part>)
    }

    /// Whether reading the part runs no code of the state's own.
    @inlinable
    var isStored: Bool { offset != nil }

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
