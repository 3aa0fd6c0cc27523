/// A `CaseReader` that is called without being retained, which would cost more than the call.
///
/// Invariant: whoever holds one holds the reader itself too. A `Prism` does, in its closures, which it never changes.
/// It is `Sendable` since the reader is.
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
