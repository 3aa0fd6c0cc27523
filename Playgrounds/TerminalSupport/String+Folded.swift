extension String {
    /// Returns this line in pieces of at most `width` columns, broken between words. A longer word has a piece of its
    /// own.
    ///
    /// The second and all further pieces begin below the text of the first piece. In a table, which has two spaces in a
    /// row after its first column, they begin below the second column, unless it begins in the right half.
    public func folded(to width: Int) -> [String] {
        if count <= width { return [self] }
        let indentation = String(repeating: " ", count: hangingIndentation(in: width))
        var pieces: [String] = []
        var piece = ""
        var hasWord = false
        var rest = self[...]
        while !rest.isEmpty {
            let spaces = rest.prefix { $0 == " " }
            let word = rest.dropFirst(spaces.count).prefix { $0 != " " }
            rest = rest.dropFirst(spaces.count + word.count)
            if word.isEmpty { break }
            if hasWord, piece.count + spaces.count + word.count > width {
                pieces.append(piece)
                piece = indentation
            } else {
                piece += spaces
            }
            piece += word
            hasWord = true
        }
        return pieces + [piece]
    }

    private func hangingIndentation(in width: Int) -> Int {
        let start = prefix { $0 == " " }.count
        let text = dropFirst(start)
        guard let gap = text.firstRange(of: "  ") else { return min(start, width / 2) }
        let column =
            start + text.distance(from: text.startIndex, to: gap.lowerBound)
            + text[gap.lowerBound...].prefix { $0 == " " }.count
        return column <= width / 2 ? column : min(start + 2, width / 2)
    }

    /// Returns the text, or its first words and an ellipsis if it does not fit. Only a first word that is too long is
    /// cut itself.
    func cut(to width: Int) -> String {
        if count <= width { return self }
        let head = prefix(max(0, width - 1))
        let isBroken = head.endIndex < endIndex && self[head.endIndex] != " "
        let end = isBroken ? head.lastIndex(of: " ") ?? head.endIndex : head.endIndex
        var words = head[..<end]
        while words.last == " " { words.removeLast() }
        return (words.isEmpty ? String(head) : String(words)) + "…"
    }

    /// Returns the text, or an ellipsis and its last words if it does not fit. Only a last word that is too long is cut
    /// itself.
    public func shortened(to width: Int) -> String {
        if count <= width { return self }
        let tail = suffix(max(0, width - 1))
        let isBroken = tail.startIndex > startIndex && self[index(before: tail.startIndex)] != " "
        let words = isBroken ? tail.firstIndex(of: " ").map { tail[$0...] } ?? tail : tail
        return "…" + words.drop { $0 == " " }
    }
}
