/// A reference to a `CaseReader` that is called without being retained, because retaining costs more than the call.
///
/// Invariant: the owner also retains the reader, and keeps it alive during each call. `Prism` does so: its closures,
/// which never change, capture the reader, and `Prism.extract` extends their lifetime. Without this, a call would use a
/// deallocated object. The reference is `Sendable` because the reader is.
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
