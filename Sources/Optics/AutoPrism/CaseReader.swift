import Synchronization

/// One case of an enum: makes a value of it, says whether a value is of it, and reads the payload.
///
/// Which case it is cannot be seen from a constructor, so it is learned from the first value that may be of it, by
/// building that value again; or from the first value built. Learning is idempotent: threads that do it at once find
/// the same, and one word is all they share. Until then `candidates` are the cases it may be.
///
/// Invariant of every read: the payload at an address is read as a `Part` only if the tag of the value there is a
/// candidate or the learned one, which is one of them; the enum's own records say that the payload of such a case is a
/// `Part`.
@usableFromInline
final class CaseReader<Whole, Part>: Sendable {
    @usableFromInline let tag: EnumTag
    @usableFromInline let layout: EnumLayout
    @usableFromInline let constructor: @Sendable (Part) -> Whole
    /// The learned tag and how its payload is read; see `CaseWord`.
    @usableFromInline let learned: Atomic<Int>
    private let candidates: [Int]

    /// A case with a payload. Stops the process, with the reason, where it cannot be told from others.
    @usableFromInline
    init(_ constructor: @escaping @Sendable (Part) -> Whole) {
        do throws(AutoPrismRefusal) {
            layout = try EnumLayoutCache.layout(of: Whole.self)
            try layout.checkPayload(Part.self)
            if MemoryLayout<Part>.size == 0, TypeMetadata(Part.self).hasEmptyValue {
                candidates = []
                // All values of a type that takes no room are the same nothing, so there is no need to wait for one.
                let empty = constructor(unsafeBitCast((), to: Part.self))
                let tag = withUnsafePointer(to: empty) { [layout] in layout.tag(at: $0) }
                guard layout.isEmpty(tag) else {
                    throw .notAConstructor(part: "\(Part.self)", made: layout.name(tag))
                }
                learned = Atomic(CaseWord(tag, isInPlace: true, isIndirect: false).bits)
            } else {
                candidates = try layout.candidates(carrying: Part.self, size: MemoryLayout<Part>.size)
                learned = Atomic(CaseWord.initial(candidates))
            }
        } catch {
            error.stop(Whole.self)
        }
        self.tag = layout.tag
        self.constructor = constructor
    }

    /// A case without payload, known by its value. Stops the process, with the reason, where it has one.
    @usableFromInline
    init(plain value: Whole) where Part == Void {
        do throws(AutoPrismRefusal) {
            layout = try EnumLayoutCache.layout(of: Whole.self)
            let tag = withUnsafePointer(to: value) { [layout] in layout.tag(at: $0) }
            guard tag >= layout.payloadCount else { throw .notPlain(caseName: layout.name(tag)) }
            learned = Atomic(CaseWord(tag, isInPlace: true, isIndirect: false).bits)
        } catch {
            error.stop(Whole.self)
        }
        self.tag = layout.tag
        let plain = PlainCase(value: value)
        candidates = []
        constructor = { _ in plain.value }
    }

    @inlinable
    func embed(_ part: Part) -> Whole {
        let whole = constructor(part)
        if !CaseWord.isLearned(learned.load(ordering: .relaxed)) { learn(from: whole, madeOf: part) }
        return whole
    }

    @inlinable
    @inline(__always)
    func extract(_ whole: Whole) -> Part? {
        // A pointer to the borrowed value: looking at it neither copies nor retains.
        withUnsafePointer(to: whole) { address in
            let tag = self.tag(at: address)
            let word = learned.load(ordering: .relaxed)
            if word == CaseWord.inPlace(tag) { return UnsafeRawPointer(address).load(as: Part.self) }
            if CaseWord.isKnown(word), CaseWord.tag(word) != tag { return nil }
            return extractByCopying(address, tag)
        }
    }

    /// The same, for a case that is not known yet, or whose payload cannot be read where it lies.
    @inlinable
    @inline(never)
    func extractByCopying(_ address: UnsafePointer<Whole>, _ tag: Int) -> Part? {
        let word = learnedWord(fromValueAt: address, tag)
        guard CaseWord.tag(word) == tag else { return nil }
        return read(address, tag, isIndirect: CaseWord.isIndirect(word))
    }

    /// Changes the payload in place, between projecting it and injecting the tag. `change` cannot throw; what the
    /// closure of a client throws is caught inside it, so the tag is injected then, too.
    @inlinable
    func modify(_ whole: inout Whole, _ change: (inout Part) -> Void) {
        let (tag, word) = withUnsafePointer(to: &whole) { address in
            let tag = self.tag(at: address)
            return (tag, learnedWord(fromValueAt: address, tag))
        }
        guard CaseWord.tag(word) == tag else { return }
        guard !CaseWord.isIndirect(word), MemoryLayout<Part>.size > 0 else {
            // A box may be shared, and what takes no room has no place to be changed at.
            var part = withUnsafePointer(to: &whole) { read($0, tag, isIndirect: CaseWord.isIndirect(word)) }
            _ = consume whole
            change(&part)
            whole = constructor(part)
            return
        }
        withUnsafeMutablePointer(to: &whole) { whole in
            // The caller has exclusive access, since the value is `inout`.
            let payload = UnsafeMutableRawPointer(whole)
            if word != CaseWord.inPlace(tag) { layout.project(payload) }
            payload.withMemoryRebound(to: Part.self, capacity: 1) { change(&$0.pointee) }
            // The tag may lie in the payload's padding. Unspecialized code assigns a trivial payload by copying all of
            // its bytes, so every change can overwrite the tag: without this the value would be of another case.
            layout.inject(payload, tag)
        }
    }

    /// Whether `whole`, whose tag is `tag`, is of this case. Depends on nothing but the tag.
    @usableFromInline
    func accepts(_ whole: Whole, _ tag: Int) -> Bool {
        CaseWord.tag(withUnsafePointer(to: whole) { learnedWord(fromValueAt: $0, tag) }) == tag
    }

    /// What is known about the case, after a look at a value that may be of it if nothing was known.
    @inlinable
    func learnedWord(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) -> Int {
        let word = learned.load(ordering: .relaxed)
        if CaseWord.isLearned(word) { return word }
        learn(fromValueAt: address, tag)
        return learned.load(ordering: .relaxed)
    }

    /// Reads the payload from a copy: taking the caller's own value apart would be a race.
    @inlinable
    func read(_ address: UnsafePointer<Whole>, _ tag: Int, isIndirect: Bool) -> Part {
        guard MemoryLayout<Part>.size > 0 else { return UnsafeRawPointer(address).load(as: Part.self) }
        return withUnsafeTemporaryAllocation(of: Whole.self, capacity: 1) { buffer in
            let copy = buffer.baseAddress!
            copy.initialize(to: address.pointee)
            let payload = UnsafeMutableRawPointer(copy)
            layout.project(payload)
            guard isIndirect else { return payload.assumingMemoryBound(to: Part.self).move() }
            let part = boxed(payload)
            // The copy holds the box: made a value again, it lets go of it in the enum's own way.
            layout.inject(payload, tag)
            copy.deinitialize(count: 1)
            return part
        }
    }

    /// The payload of an indirect case: in a box, after its header of two words.
    @inlinable
    func boxed(_ payload: UnsafeRawPointer) -> Part {
        let alignment = MemoryLayout<Part>.alignment
        let offset = (2 * MemoryLayout<Int>.size + alignment - 1) & ~(alignment - 1)
        return payload.load(as: UnsafeRawPointer.self).load(fromByteOffset: offset, as: Part.self)
    }

    /// Learns from a value that may be of this case: takes its payload, builds it again and looks at the result.
    @usableFromInline
    @inline(never)
    func learn(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) {
        guard candidates.contains(tag) else { return }
        let part = read(address, tag, isIndirect: layout.cases[tag].isIndirect)
        learn(from: constructor(part), madeOf: part)
    }

    /// Learns from a value that was built, if it is of a case that carries a `Part`, and the very same one.
    @usableFromInline
    @inline(never)
    func learn(from whole: Whole, madeOf part: Part) {
        let tag = withUnsafePointer(to: whole) { self.tag(at: $0) }
        guard candidates.contains(tag) else {
            AutoPrismRefusal.notAConstructor(part: "\(Part.self)", made: layout.name(tag)).stop(Whole.self)
        }
        let isIndirect = layout.cases[tag].isIndirect
        let again = withUnsafePointer(to: whole) { read($0, tag, isIndirect: isIndirect) }
        guard !isKnownToDiffer(part, again) else {
            AutoPrismRefusal.payloadChanged(caseName: layout.name(tag), part: "\(Part.self)").stop(Whole.self)
        }
        let isInPlace = !isIndirect && isReadableInPlace(whole, tag)
        learned.store(CaseWord(tag, isInPlace: isInPlace, isIndirect: isIndirect).bits, ordering: .relaxed)
    }

    /// Whether the bytes of the payload are the same in the value, so that the payload can be read in place. The bits of
    /// the tag are the same in all values of a case, so what holds for one value holds for all. It says nothing about
    /// writes; see `modify`.
    private func isReadableInPlace(_ whole: Whole, _ tag: Int) -> Bool {
        withUnsafeTemporaryAllocation(of: Whole.self, capacity: 1) { buffer in
            let copy = buffer.baseAddress!
            copy.initialize(to: whole)
            let address = UnsafeMutableRawPointer(copy)
            let bytes = UnsafeRawBufferPointer(start: address, count: MemoryLayout<Part>.size)
            let before = Array(bytes)
            layout.project(address)
            let isSame = bytes.elementsEqual(before)
            layout.inject(address, tag)
            copy.deinitialize(count: 1)
            return isSame
        }
    }
}

/// A value without payload. It holds nothing that could be shared, whatever the other cases of its enum carry: that is
/// why it is `Sendable`.
private struct PlainCase<Whole>: @unchecked Sendable {
    let value: Whole
}
