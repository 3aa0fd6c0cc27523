/// The contents of a terminal after some output. Supports the control sequences that the programs use.
public struct Screen {
    private var rows: [[Character]] = [[]]
    private var cursor = (row: 0, column: 0)
    private var saved = (row: 0, column: 0)
    private let columns: Int
    private let height: Int
    private var top = 0

    /// Creates the screen of a terminal after `output`, including the rows that have scrolled out of it.
    public init(_ output: String, columns: Int = 80, height: Int = 24) {
        self.columns = columns
        self.height = height
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": cursor.column = 0
            case "\n": moveDown()
            case "\u{8}": cursor.column = max(0, cursor.column - 1)
            case "\u{7}": break
            case "\u{1B}": obey(&rest)
            default: put(Character(scalar))
            }
        }
    }

    /// The rows that are not empty, without trailing spaces.
    public var lines: [String] {
        rows.map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
        .filter { !$0.isEmpty }
    }

    private mutating func obey(_ rest: inout Substring.UnicodeScalarView) {
        switch rest.popFirst() {
        case "7": saved = cursor
        case "8": cursor = saved
        case "D": moveDown()
        case "[":
            let number = rest.prefix { ("0"..."9").contains($0) || $0 == "?" || $0 == ";" }
            rest.removeFirst(number.count)
            let count = Int(String(number)) ?? 1
            switch rest.popFirst() {
            case "A": cursor.row = max(top, cursor.row - count)
            case "B": cursor.row = min(top + height - 1, cursor.row + count)
            case "K": rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
            case "J":
                rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
                for row in rows.indices.dropFirst(cursor.row + 1) { rows[row] = [] }
            case "L":
                rows.insert(contentsOf: Array(repeating: [], count: count), at: cursor.row)
                rows = Array(rows.prefix(top + height))
                cursor.column = 0
            default: break
            }
        default: break
        }
        fill()
    }

    private mutating func put(_ character: Character) {
        if cursor.column >= columns {
            cursor.column = 0
            moveDown()
        }
        let missing = cursor.column - rows[cursor.row].count
        if missing >= 0 {
            rows[cursor.row] += Array(repeating: " ", count: missing) + [character]
        } else {
            rows[cursor.row][cursor.column] = character
        }
        cursor.column += 1
    }

    private mutating func moveDown() {
        cursor.row += 1
        fill()
        top = max(top, cursor.row - height + 1)
    }

    private mutating func fill() {
        while rows.count <= cursor.row { rows.append([]) }
    }
}
