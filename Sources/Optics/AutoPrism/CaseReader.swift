import Synchronization

/// One case of an enum: creates values of the case, tests whether a value is of the case, and reads the payload.
///
/// A constructor does not reveal its case. The reader learns the case from the first value that may be of it, by
/// passing the payload of that value to the constructor, or from the first value that it constructs. Until then,
/// `candidates` are the possible cases. Learning is idempotent: several threads that learn at once store the same word,
/// and share nothing else.
///
/// Unchecked: the payload at an address is read as a `Part` only if the tag of the value is a candidate, or the learned
/// tag, which is a candidate itself. According to the metadata of the enum, the payload of such a case is a `Part`.
/// Each projected value is injected again, or its payload is moved out.
@usableFromInline
final class CaseReader<Whole, Part>: Sendable {
    @usableFromInline let tag: EnumTag
    @usableFromInline let layout: EnumLayout
    @usableFromInline let constructor: @Sendable (Part) -> Whole
    @usableFromInline let learned: Atomic<Int>
    private let candidates: [Int]

    private init(
        _ layout: EnumLayout, _ constructor: @escaping @Sendable (Part) -> Whole, _ candidates: [Int], _ word: CaseWord
    ) {
        self.layout = layout
        self.tag = layout.tag
        self.constructor = constructor
        self.candidates = candidates
        learned = Atomic(word.bits)
    }

    /// Creates a reader for a case with a payload. Traps with the reason if the case cannot be determined.
    @usableFromInline
    convenience init(_ constructor: @escaping @Sendable (Part) -> Whole) {
        do throws(AutoPrismRefusal) {
            let layout = try EnumLayout.of(Whole.self)
            let part = TypeMetadata(Part.self)
            if part.dependsOnAbstraction { throw .functionOrMetatype("\(Part.self)") }
            if part.size == 0, part.hasEmptyValue {
                // All values of a type of size zero are equal, so the case can be learned at once. Unchecked: a `Part`
                // has no bytes, and can exist.
                let tag = layout.tag(of: constructor(unsafeBitCast((), to: Part.self)))
                guard layout.isEmpty(tag) else {
                    throw .notAConstructor(part: "\(Part.self)", made: layout.name(tag))
                }
                self.init(layout, constructor, [], CaseWord(tag, isInPlace: true, isIndirect: false))
            } else {
                let candidates = try layout.candidates(carrying: part)
                self.init(layout, constructor, candidates, CaseWord(candidates: candidates))
            }
        } catch {
            error.stop(Whole.self)
        }
    }

    /// Creates a reader for a case without a payload, from its value. Traps with the reason if the value has a payload.
    @usableFromInline
    convenience init(plain value: Whole) where Part == Void {
        do throws(AutoPrismRefusal) {
            let layout = try EnumLayout.of(Whole.self)
            let tag = layout.tag(of: value)
            guard tag >= layout.payloadCount else { throw .notPlain(caseName: layout.name(tag)) }
            let plain = PlainCase(value: value)
            self.init(layout, { _ in plain.value }, [], CaseWord(tag, isInPlace: true, isIndirect: false))
        } catch {
            error.stop(Whole.self)
        }
    }

    @inlinable
    var word: CaseWord {
        CaseWord(bits: learned.load(ordering: .relaxed))
    }

    @inlinable
    func embed(_ part: Part) -> Whole {
        let whole = constructor(part)
        if !word.isLearned { learn(from: whole, madeOf: part) }
        return whole
    }

    @inlinable
    @inline(__always)
    func extract(_ whole: Whole) -> Part? {
        // A pointer to the borrowed value: the value is neither copied nor retained.
        withUnsafePointer(to: whole) { address in
            let tag = self.tag(at: address)
            let word = self.word
            if word.isInPlace(tag) { return UnsafeRawPointer(address).load(as: Part.self) }
            if word.isKnown, word.tag != tag { return nil }
            return extractByCopying(address, tag)
        }
    }

    /// Extracts the payload if the case has not been learned, or if the payload cannot be read in place.
    @inlinable
    @inline(never)
    func extractByCopying(_ address: UnsafePointer<Whole>, _ tag: Int) -> Part? {
        let word = learnedWord(fromValueAt: address, tag)
        guard word.tag == tag else { return nil }
        return read(address, tag, isIndirect: word.isIndirect)
    }

    /// Changes the payload in place, between projecting it and injecting the tag.
    ///
    /// `change` cannot throw: the closure of a caller that throws is wrapped in one that does not. The tag is therefore
    /// always injected.
    @inlinable
    func modify(_ whole: inout Whole, _ change: (inout Part) -> Void) {
        let (tag, word) = withUnsafePointer(to: &whole) { address in
            let tag = self.tag(at: address)
            return (tag, learnedWord(fromValueAt: address, tag))
        }
        guard word.tag == tag else { return }
        guard !word.isIndirect, MemoryLayout<Part>.size > 0 else {
            // The box of an indirect payload may be shared, and a payload of size zero has no address of its own.
            var part = withUnsafePointer(to: &whole) { read($0, tag, isIndirect: word.isIndirect) }
            _ = consume whole
            change(&part)
            whole = constructor(part)
            return
        }
        withUnsafeMutablePointer(to: &whole) { whole in
            // The caller has exclusive access, because the value is `inout`.
            let payload = UnsafeMutableRawPointer(whole)
            if !word.isInPlace(tag) { layout.project(payload) }
            payload.withMemoryRebound(to: Part.self, capacity: 1) { change(&$0.pointee) }
            // The tag may be stored in the padding of the payload. Unspecialized code assigns a trivial payload by
            // copying all of its bytes, so any change can overwrite the tag. Without this call, the value could be of
            // another case afterwards.
            layout.inject(payload, tag)
        }
    }

    /// Returns whether `whole`, whose tag is `tag`, is of this case. The result depends on the tag alone.
    @usableFromInline
    func accepts(_ whole: Whole, _ tag: Int) -> Bool {
        withUnsafePointer(to: whole) { learnedWord(fromValueAt: $0, tag) }.tag == tag
    }

    /// Returns the word of the case. If the case has not been learned, tries to learn it from the value at `address`
    /// first.
    @inlinable
    func learnedWord(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) -> CaseWord {
        let word = self.word
        if word.isLearned { return word }
        learn(fromValueAt: address, tag)
        return self.word
    }

    /// Reads the payload from a copy of the value. Projecting the payload of the caller's value would be a data race.
    @inlinable
    func read(_ address: UnsafePointer<Whole>, _ tag: Int, isIndirect: Bool) -> Part {
        guard MemoryLayout<Part>.size > 0 else { return UnsafeRawPointer(address).load(as: Part.self) }
        return withUnsafeTemporaryAllocation(of: Whole.self, capacity: 1) { buffer in
            let copy = buffer.baseAddress!
            copy.initialize(to: address.pointee)
            let payload = UnsafeMutableRawPointer(copy)
            layout.project(payload)
            guard isIndirect else { return payload.assumingMemoryBound(to: Part.self).move() }
            let part = EnumLayout.boxed(payload, as: Part.self)
            // The copy retains the box. When it is a value again, destroying it releases the box.
            layout.inject(payload, tag)
            copy.deinitialize(count: 1)
            return part
        }
    }

    /// Learns the case from a value that may be of it: constructs the value again from its payload, and reads the tag
    /// of the result.
    @usableFromInline
    @inline(never)
    func learn(fromValueAt address: UnsafePointer<Whole>, _ tag: Int) {
        guard candidates.contains(tag) else { return }
        let part = read(address, tag, isIndirect: layout.cases[tag].isIndirect)
        learn(from: constructor(part), madeOf: part)
    }

    /// Learns the case from a constructed value. Traps unless the value has a `Part` as its payload, and the same one.
    @usableFromInline
    @inline(never)
    func learn(from whole: Whole, madeOf part: Part) {
        let tag = self.tag(of: whole)
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

    /// Returns whether projecting the payload leaves its bytes unchanged, so that it can be read in place.
    ///
    /// The bits of the tag are the same in all values of a case, so the result holds for all of them. It does not hold
    /// for writes; see `modify`.
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

/// The state of a `CaseReader`, in one word: the tag, whether the payload is in a box, and whether it can be read in
/// place.
///
/// If there is only one candidate, its tag is known before the case has been learned. Values of other cases then do not
/// match, without further work. The first value of the candidate is still used to check the constructor.
@usableFromInline
struct CaseWord {
    @usableFromInline let bits: Int

    @inlinable
    init(bits: Int) {
        self.bits = bits
    }

    /// Creates the word of a case that has been learned.
    init(_ tag: Int, isInPlace: Bool, isIndirect: Bool) {
        bits = tag << 3 | (isIndirect ? 2 : 0) | (isInPlace ? 1 : 0)
    }

    /// Creates the word of a case that has not been learned. Without candidates, it contains the tag of no value.
    init(candidates: [Int]) {
        switch candidates.count {
        case 0: bits = Int(Int32.max) << 3
        case 1: bits = candidates[0] << 3 | 4
        default: bits = -1
        }
    }

    /// The tag, or -1, which is the tag of no value, if the tag is unknown.
    @inlinable
    var tag: Int { bits &>> 3 }

    @inlinable
    var isKnown: Bool { bits >= 0 }

    @inlinable
    var isLearned: Bool { bits >= 0 && bits & 4 == 0 }

    @inlinable
    var isIndirect: Bool { bits & 2 != 0 }

    /// Returns whether this is the word of the case `tag`, learned, with a payload that can be read in place.
    @inlinable
    func isInPlace(_ tag: Int) -> Bool { bits == tag &<< 3 | 1 }
}

/// A value of a case without a payload.
///
/// Unchecked: the value contains nothing that could be shared, regardless of the payloads of the enum's other cases.
private struct PlainCase<Whole>: @unchecked Sendable {
    let value: Whole
}

/// Returns whether two payloads certainly differ: they are unequal, of different cases, or different objects.
///
/// Returns `false` for payloads that cannot be compared, and for those that do not equal themselves, such as NaN.
private func isKnownToDiffer<Part>(_ first: Part, _ second: Part) -> Bool {
    if let first = first as? any Equatable { return isUnequal(first, second) }
    if Part.self is AnyClass { return first as AnyObject !== second as AnyObject }
    guard let tag = try? EnumLayout.of(Part.self).tag else { return false }
    return tag(of: first) != tag(of: second)
}

private func isUnequal<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
    guard let second = second as? Value, first == first else { return false }
    return first != second
}
