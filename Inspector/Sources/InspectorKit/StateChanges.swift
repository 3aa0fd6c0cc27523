/// The changes from one text to the next.
///
/// Each change keeps and drops some UTF-16 code units of the text before, and inserts a text. What follows the last
/// change is kept.
struct StateChanges: Equatable {
    struct Change: Equatable {
        var keep: Int
        var drop: Int
        var insert: String
    }

    var changes: [Change] = []

    /// About how many bytes the changes need in a page.
    var cost: Int { changes.reduce(64) { $0 + 16 + $1.insert.utf8.count } }

    /// How far the beginning of an equal part is looked for.
    private static let window = 4096
    /// The length of a part whose equality ends a change.
    private static let anchor = 32
    private static let maximumCount = 200

    init(from before: [Unicode.Scalar], to after: [Unicode.Scalar]) {
        before.withUnsafeBufferPointer { a in
            after.withUnsafeBufferPointer { b in fill(a, b) }
        }
    }

    private mutating func fill(_ a: UnsafeBufferPointer<Unicode.Scalar>, _ b: UnsafeBufferPointer<Unicode.Scalar>) {
        func common(_ i: Int, _ j: Int, _ endOfA: Int, _ endOfB: Int) -> Int {
            let limit = min(endOfA - i, endOfB - j)
            var count = 0
            while count < limit && a[i + count] == b[j + count] { count += 1 }
            return max(0, count)
        }
        func find(_ j: Int, _ first: Int, _ last: Int) -> Int? {
            var i = first
            while i + Self.anchor <= last {
                if a[i] == b[j] && common(i, j, i + Self.anchor, j + Self.anchor) == Self.anchor { return i }
                i += 1
            }
            return nil
        }
        let head = common(0, 0, a.count, b.count)
        var tail = 0
        let limit = min(a.count, b.count) - head
        while tail < limit && a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        let (endOfA, endOfB) = (a.count - tail, b.count - tail)
        var (i, j, kept) = (head, head, head)
        while i < endOfA || j < endOfB {
            var found: (i: Int, j: Int)?
            var offset = 0
            while offset < min(Self.window, endOfB - j - Self.anchor) && changes.count < Self.maximumCount {
                if let place = find(j + offset, i, min(i + Self.window, endOfA)) {
                    found = (place, j + offset)
                    break
                }
                offset += 16
            }
            guard var match = found else {
                append(a[(i - kept)..<i], a[i..<endOfA], b[j..<endOfB])
                break
            }
            while match.i > i && match.j > j && a[match.i - 1] == b[match.j - 1] {
                match = (match.i - 1, match.j - 1)
            }
            append(a[(i - kept)..<i], a[i..<match.i], b[j..<match.j])
            kept = common(match.i, match.j, endOfA, endOfB)
            (i, j) = (match.i + kept, match.j + kept)
        }
    }

    private mutating func append(
        _ kept: Slice<UnsafeBufferPointer<Unicode.Scalar>>, _ dropped: Slice<UnsafeBufferPointer<Unicode.Scalar>>,
        _ inserted: Slice<UnsafeBufferPointer<Unicode.Scalar>>
    ) {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: inserted)
        changes.append(Change(keep: Self.units(kept), drop: Self.units(dropped), insert: String(text)))
    }

    private static func units(_ scalars: Slice<UnsafeBufferPointer<Unicode.Scalar>>) -> Int {
        scalars.reduce(0) { $0 + ($1.value > 0xFFFF ? 2 : 1) }
    }
}
