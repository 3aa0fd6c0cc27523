import Synchronization

/// One case of an enum: creates values of the case, tests whether a value is of the case, and reads the payload.
///
/// A constructor does not reveal its case, so the reader learns the case. It does so from the first value that it
/// constructs, or from the first value that may be of this case: it passes the payload of that value to the
/// constructor. Until then, `candidates` contains the tags of the possible cases. Learning is idempotent: threads that
/// learn at the same time store the same `CaseWord`, and share nothing else.
///
/// The code in `EnumMemory.swift` that accesses payloads relies on an invariant: a learned tag is a candidate. The
/// exception is a `Part` of size zero: the learned tag is then that of a case without a payload, or with a payload of
/// size zero.
@usableFromInline
final class CaseReader<Whole, Part>: Sendable {
    @usableFromInline let tag: EnumTag
    @usableFromInline let layout: EnumLayout
    @usableFromInline let constructor: @Sendable (Part) -> Whole
    @usableFromInline let learned: Atomic<Int>
    let candidates: [Int]

    private init(
        _ layout: EnumLayout, _ constructor: @escaping @Sendable (Part) -> Whole, _ candidates: [Int], _ word: CaseWord
    ) {
        self.layout = layout
        self.tag = layout.functions.tag
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
            if let empty = Self.emptyPart {
                // All values of a type of size zero are equal, so the case can be learned at once.
                let tag = layout.functions.tag(of: constructor(empty))
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
            let tag = layout.functions.tag(of: value)
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

    /// Learns the case from `whole`, which the constructor returned for `part`. Traps if the payload of `whole` is not
    /// a `Part`, or is known to differ from `part`.
    @usableFromInline
    @inline(never)
    func learn(from whole: Whole, madeOf part: Part) {
        let tag = self.tag(of: whole)
        guard let again = candidatePayload(of: whole) else {
            AutoPrismRefusal.notAConstructor(part: "\(Part.self)", made: layout.name(tag)).stop(Whole.self)
        }
        guard !isKnownToDiffer(part, again) else {
            AutoPrismRefusal.payloadChanged(caseName: layout.name(tag), part: "\(Part.self)").stop(Whole.self)
        }
        let isIndirect = layout.cases[tag].isIndirect
        let isInPlace = !isIndirect && isReadableInPlace(whole)
        learned.store(CaseWord(tag, isInPlace: isInPlace, isIndirect: isIndirect).bits, ordering: .relaxed)
    }
}

/// The state of a `CaseReader`, in one word. It contains the tag, whether the case has been learned, whether the
/// payload is in a box, and whether the payload can be read in place.
///
/// If there is only one candidate, its tag is known before the case has been learned, so values of other cases are
/// rejected at once. The first value of the candidate is still used to check the constructor.
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

    /// Creates the word of a case that has not been learned. If there are no candidates, no value is of the case. The
    /// word is then that of a learned case, with a tag that no value has.
    init(candidates: [Int]) {
        switch candidates.count {
        case 0: bits = Int(Int32.max) << 3
        case 1: bits = candidates[0] << 3 | 4
        default: bits = -1
        }
    }

    /// The tag, or -1 if the tag is unknown. No value has the tag -1.
    @inlinable
    var tag: Int { bits &>> 3 }

    @inlinable
    var isKnown: Bool { bits >= 0 }

    @inlinable
    var isLearned: Bool { bits >= 0 && bits & 4 == 0 }

    @inlinable
    var isIndirect: Bool { bits & 2 != 0 }

    /// Returns whether the case is learned, has the tag `tag`, and has a payload that can be read in place.
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
/// Returns `false` if the payloads cannot be compared, or if a payload does not equal itself, such as NaN.
private func isKnownToDiffer<Part>(_ first: Part, _ second: Part) -> Bool {
    if let first = first as? any Equatable { return isUnequal(first, second) }
    if Part.self is AnyClass { return first as AnyObject !== second as AnyObject }
    guard let tag = try? EnumLayout.of(Part.self).functions.tag else { return false }
    return tag(of: first) != tag(of: second)
}

private func isUnequal<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
    guard let second = second as? Value, first == first else { return false }
    return first != second
}
