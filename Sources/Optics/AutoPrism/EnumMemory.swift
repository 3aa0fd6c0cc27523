/// A function that reads the tag of an enum's value. The tag identifies the case of the value.
///
/// Tags are counted from 0. Cases with a payload come first, then cases without. Within each group, the tags follow the
/// order of declaration. A payload that is known to be empty when the enum is compiled, such as `Void`, counts as none.
///
/// Unchecked: `witness` is the function of the enum `type`, or returns 0 if the enum has one case. In a `CaseReader`
/// and a `CaseRouting`, `type` is their `Whole`.
@safe
@usableFromInline
struct EnumTag: Sendable {
    @usableFromInline typealias Witness = @Sendable @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32

    @usableFromInline let type: Any.Type
    @usableFromInline let witness: Witness

    /// The address of the enum's metadata.
    @inlinable
    var metadata: UnsafeRawPointer {
        // Unchecked: an existential metatype of `Any` is one word, which contains this address.
        unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Returns the tag of `whole`, which must be a value of the enum. The value is neither copied nor retained.
    @inlinable
    func callAsFunction<Whole>(of whole: Whole) -> Int {
        assert(type == Whole.self)
        return unsafe withUnsafePointer(to: whole) { unsafe self(at: $0) }
    }

    /// Returns the tag of the value at `address`, which must be a value of the enum.
    @inlinable
    func callAsFunction(at address: UnsafeRawPointer) -> Int {
        unsafe Int(truncatingIfNeeded: witness(address, metadata))
    }
}

/// The functions that the compiler generates for an enum.
///
/// Unchecked: the layout of a value-witness table says that these are C functions with these parameters.
@safe
struct EnumFunctions: Sendable {
    fileprivate typealias Project = @Sendable @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    fileprivate typealias Inject = @Sendable @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    let tag: EnumTag
    fileprivate let project: Project
    fileprivate let inject: Inject

    /// Creates the functions of the enum `type` from the addresses in its metadata.
    ///
    /// - Parameter hasTag: Whether the enum has several cases. An enum with one case has no tag to read.
    init(_ type: Any.Type, _ witnesses: TypeMetadata.EnumWitnesses, hasTag: Bool) {
        let noTag: EnumTag.Witness = { _, _ in 0 }
        // Unchecked: these are the functions of an enum's value-witness table, whose signatures Swift's ABI defines.
        let witness = unsafe hasTag ? unsafeBitCast(witnesses.tag, to: EnumTag.Witness.self) : noTag
        unsafe tag = EnumTag(type: type, witness: witness)
        unsafe project = unsafeBitCast(witnesses.project, to: Project.self)
        unsafe inject = unsafeBitCast(witnesses.inject, to: Inject.self)
    }
}

extension EnumLayout {
    /// Replaces the value at `address` by its payload, in place.
    ///
    /// The value must be of a case with a payload. Until `inject` has been called or the payload has been moved out, no
    /// other code may access the memory of the value.
    @usableFromInline
    func project(_ address: UnsafeMutableRawPointer) {
        unsafe functions.project(address, functions.tag.metadata)
    }

    /// Replaces the payload at `address` by a value of the case `tag`, in place.
    @usableFromInline
    func inject(_ address: UnsafeMutableRawPointer, _ tag: Int) {
        unsafe functions.inject(address, UInt32(tag), functions.tag.metadata)
    }

    /// Returns the payload of the value at `address`, read from a copy of the value. The value must be of the case
    /// `tag`, and its payload must be a `Part`.
    ///
    /// The payload of an indirect case is stored in a box after a header of two words. The projected value contains the
    /// address of the box.
    @inlinable
    func payload<Whole, Part>(ofValueAt address: UnsafePointer<Whole>, _ tag: Int, isIndirect: Bool) -> Part {
        unsafe withUnsafeTemporaryAllocation(of: Whole.self, capacity: 1) { buffer in
            let copy = buffer.baseAddress!
            unsafe copy.initialize(to: address.pointee)
            let payload = UnsafeMutableRawPointer(copy)
            unsafe project(payload)
            guard isIndirect else { return unsafe payload.assumingMemoryBound(to: Part.self).move() }
            let alignment = MemoryLayout<Part>.alignment
            let offset = (2 * MemoryLayout<Int>.size + alignment - 1) & ~(alignment - 1)
            let part = unsafe payload.load(as: UnsafeRawPointer.self).load(fromByteOffset: offset, as: Part.self)
            // The copy retains the box. When it is a value again, destroying it releases the box.
            unsafe inject(payload, tag)
            unsafe copy.deinitialize(count: 1)
            return part
        }
    }
}

// For `MetadataCheck`.
extension EnumLayout {
    /// Returns whether projecting a copy of `value` yields `part`, and injecting the tag then yields a value of the
    /// case `tag`.
    func hasPayload<Whole, Part: BitwiseCopyable>(_ value: Whole, _ tag: Int, _ part: Part) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: Whole.self, capacity: 2) { buffer in
            unsafe buffer.initialize(repeating: value)
            let address = buffer.baseAddress!
            unsafe project(address)
            // Compares bytes, because the payload may not be a `Part`.
            let isSame = unsafe withUnsafeBytes(of: part) {
                unsafe $0.elementsEqual(UnsafeRawBufferPointer(start: address, count: $0.count))
            }
            guard isSame else { return false }
            unsafe inject(address, tag)
            return unsafe functions.tag(of: address.pointee) == tag
        }
    }

    /// Returns the payload of `value`. Returns `nil` unless `value` is of the case `tag`, and this case is indirect and
    /// has the payload type `Part`.
    func boxedPayload<Whole, Part: BitwiseCopyable>(of value: Whole, _ tag: Int) -> Part? {
        guard cases[tag].isIndirect, cases[tag].payload == Part.self, functions.tag(of: value) == tag else {
            return nil
        }
        return unsafe withUnsafePointer(to: value) { unsafe payload(ofValueAt: $0, tag, isIndirect: true) }
    }
}

/// The accesses to a payload.
///
/// Unchecked: the payload at an address is read as a `Part` only if the tag of the value is a candidate, or the learned
/// tag. According to the metadata of the enum, the payload of a candidate is a `Part`. If the learned tag is not a
/// candidate, a `Part` has no bytes to read. Each projected value is injected again, or its payload is moved out.
extension CaseReader {
    /// The value of `Part`, if the type has a size of zero and can have a value, and otherwise `nil`.
    static var emptyPart: Part? {
        let part = TypeMetadata(Part.self)
        // Unchecked: a `Part` has no bytes, and can exist.
        return part.size == 0 && part.hasEmptyValue ? unsafe unsafeBitCast((), to: Part.self) : nil
    }

    @inlinable
    @inline(__always)
    func extract(_ whole: Whole) -> Part? {
        // A pointer to the borrowed value: the value is neither copied nor retained.
        unsafe withUnsafePointer(to: whole) { address in
            let tag = unsafe self.tag(at: address)
            let word = self.word
            if word.isInPlace(tag) { return unsafe UnsafeRawPointer(address).load(as: Part.self) }
            if word.isKnown, word.tag != tag { return nil }
            return unsafe extractByCopying(address, tag)
        }
    }

    /// Extracts the payload from a copy of the value, or returns `nil` if the value is not of this case. Called if the
    /// case has not been learned, or if the payload cannot be read in place.
    @inlinable
    @inline(never)
    func extractByCopying(_ address: UnsafePointer<Whole>, _ tag: Int) -> Part? {
        let word = unsafe learnedWord(fromValueAt: address, tag)
        guard word.tag == tag else { return nil }
        return unsafe read(address, tag, isIndirect: word.isIndirect)
    }

    /// Changes the payload of `whole` in place, and then injects the tag. Does nothing if `whole` is not of this case.
    ///
    /// A payload that is in a box or has a size of zero is copied, changed and passed to the constructor instead.
    ///
    /// `change` cannot throw: the closure of a caller that throws is wrapped in one that does not. The tag is therefore
    /// always injected.
    @inlinable
    func modify(_ whole: inout Whole, _ change: (inout Part) -> Void) {
        let (tag, word) = unsafe withUnsafePointer(to: &whole) { address in
            let tag = unsafe self.tag(at: address)
            return (tag, unsafe learnedWord(fromValueAt: address, tag))
        }
        guard word.tag == tag else { return }
        guard !word.isIndirect, MemoryLayout<Part>.size > 0 else {
            // The box of an indirect payload may be shared, and a payload of size zero has no address of its own.
            var part = unsafe withUnsafePointer(to: &whole) { unsafe read($0, tag, isIndirect: word.isIndirect) }
            _ = consume whole
            change(&part)
            whole = constructor(part)
            return
        }
        unsafe withUnsafeMutablePointer(to: &whole) { whole in
            // The caller has exclusive access, because the value is `inout`.
            let payload = UnsafeMutableRawPointer(whole)
            if !word.isInPlace(tag) { unsafe layout.project(payload) }
            unsafe payload.withMemoryRebound(to: Part.self, capacity: 1) { unsafe change(&$0.pointee) }
            // The tag may be stored in the padding of the payload. Unspecialized code assigns a trivial payload by
            // copying all of its bytes, so any change can overwrite the tag. Without this call, the value could be of
            // another case afterwards.
            unsafe layout.inject(payload, tag)
        }
    }

    /// Returns whether `whole`, whose tag is `tag`, is of this case. The result depends on the tag alone.
    @usableFromInline
    func accepts(_ whole: Whole, _ tag: Int) -> Bool {
        unsafe withUnsafePointer(to: whole) { unsafe learnedWord(fromValueAt: $0, tag) }.tag == tag
    }

    /// Returns the word of the case. If the case has not been learned, tries to learn it from the value at `address`
    /// first.
    @inlinable
    func learnedWord(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) -> CaseWord {
        let word = self.word
        if word.isLearned { return word }
        unsafe learn(fromValueAt: address, tag)
        return self.word
    }

    /// Learns the case from the value at `address`, if the tag of this value is a candidate. Passes the payload of the
    /// value to the constructor, and reads the tag of the result.
    @usableFromInline
    @inline(never)
    func learn(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) {
        guard candidates.contains(tag) else { return }
        let part = unsafe read(address, tag, isIndirect: layout.cases[tag].isIndirect)
        learn(from: constructor(part), madeOf: part)
    }

    /// Returns the payload, read from a copy of the value unless the payload has a size of zero. Projecting the payload
    /// of the caller's value would be a data race.
    @inlinable
    func read(_ address: UnsafePointer<Whole>, _ tag: Int, isIndirect: Bool) -> Part {
        guard MemoryLayout<Part>.size > 0 else { return unsafe UnsafeRawPointer(address).load(as: Part.self) }
        return unsafe layout.payload(ofValueAt: address, tag, isIndirect: isIndirect)
    }

    /// Returns the payload of `whole`, or `nil` if the case of `whole` is not a candidate.
    func candidatePayload(of whole: Whole) -> Part? {
        let tag = self.tag(of: whole)
        guard candidates.contains(tag) else { return nil }
        return unsafe withUnsafePointer(to: whole) { unsafe read($0, tag, isIndirect: layout.cases[tag].isIndirect) }
    }

    /// Returns whether the payload of `whole` can be read in place, because projecting the payload does not change the
    /// bytes of `whole`. The case of `whole` must be a candidate.
    ///
    /// The bits of the tag are the same in all values of a case, so the result holds for all of them. It does not hold
    /// for writes; see `modify`.
    func isReadableInPlace(_ whole: Whole) -> Bool {
        let tag = self.tag(of: whole)
        precondition(candidates.contains(tag))
        return unsafe withUnsafeTemporaryAllocation(of: Whole.self, capacity: 1) { buffer in
            let copy = buffer.baseAddress!
            unsafe copy.initialize(to: whole)
            let bytes = unsafe UnsafeRawBufferPointer(start: copy, count: MemoryLayout<Part>.size)
            let before = unsafe Array(bytes)
            unsafe layout.project(copy)
            let isSame = unsafe bytes.elementsEqual(before)
            unsafe layout.inject(copy, tag)
            unsafe copy.deinitialize(count: 1)
            return isSame
        }
    }
}

/// An unretained reference to the reader of a prism. Retaining the reader for a call costs more than the call.
///
/// Unchecked: only `Prism.extract` uses it, while the prism retains the reader.
@safe
@usableFromInline
struct UnretainedReader<Whole, Part>: Sendable {
    @usableFromInline let reader: Unmanaged<CaseReader<Whole, Part>>

    @inlinable
    init(_ reader: CaseReader<Whole, Part>) {
        unsafe self.reader = .passUnretained(reader)
    }
}

extension Prism {
    /// Returns the part of `whole`, or `nil` if `whole` does not match.
    @_alwaysEmitIntoClient
    public func extract(_ whole: Whole) -> Part? {
        guard let reader else { return read(whole) }
        // Unchecked: `read` retains the reader, and is retained during the call. Otherwise the optimizer may release
        // `read` before the call, because nothing else uses it here, and the call would use a deallocated object.
        return withExtendedLifetime(read) { unsafe reader.reader._withUnsafeGuaranteedRef { $0.extract(whole) } }
    }
}
