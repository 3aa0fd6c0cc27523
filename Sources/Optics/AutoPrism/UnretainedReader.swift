/// A `CaseReader` that is called without being retained, which would cost more than the call.
///
/// Invariant: a holder also holds the reader itself, and keeps it alive during each call. `Prism` does: its closures,
/// which never change, capture the reader, and `Prism.extract` extends their lifetime. Without that a call would use a
/// deallocated object. It is `Sendable` because the reader is.
@usableFromInline
struct UnretainedReader<Whole, Part>: @unchecked Sendable {
    @usableFromInline let reader: Unmanaged<CaseReader<Whole, Part>>

    @inlinable
    init(_ reader: CaseReader<Whole, Part>) {
        self.reader = .passUnretained(reader)
    }

    @inlinable
    func extract(_ whole: Whole) -> Part? {
        reader._withUnsafeGuaranteedRef { $0.extract(whole) }
    }
}
