/// The files of a tutorial at each of its steps, from one source that the tests compile.
///
/// Comments in the source say where a line belongs:
///
/// | line | means |
/// |---|---|
/// | `//@file NAME` … `//@endfile` | the lines of a file; what is outside of files is not shown |
/// | `//@from N` … `//@endfrom` | shown from step N on |
/// | `//@show TEXT` | shown, and not compiled: an import of the app |
///
/// The common indentation of a file is removed, so that a file may be in a type of the source.
struct TutorialSource {
    private struct Line {
        let file: String
        let from: Int
        let text: String
    }

    private var lines: [Line] = []
    private(set) var errors: [String] = []

    init(_ source: String) {
        var file: String?
        var from = [1]
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.drop { $0 == " " }
            guard code.hasPrefix("//@") else {
                if let file { lines.append(Line(file: file, from: from.last!, text: String(line))) }
                continue
            }
            let words = code.dropFirst(3).split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.count == 2 ? words[1] : "") {
            case ("file", let name): file = name
            case ("endfile", _): file = nil
            case ("from", let step) where Int(step) != nil: from.append(Int(step)!)
            case ("endfrom", _) where from.count > 1: from.removeLast()
            case ("show", let text):
                let indentation = String(line.prefix { $0 == " " })
                if let file {
                    lines.append(Line(file: file, from: from.last!, text: text.isEmpty ? "" : indentation + text))
                }
            default: errors.append("line \(index + 1): \(code)")
            }
        }
        if file != nil || from.count > 1 { errors.append("The last file or part has no end.") }
    }

    /// The last step at which something is added.
    var stepCount: Int { lines.map(\.from).max() ?? 0 }

    /// Returns the text of each file at a step. A file of which nothing is shown yet is missing.
    func files(at step: Int) -> [String: String] {
        Dictionary(grouping: lines.filter { $0.from <= step }, by: \.file).mapValues { lines in
            let code = lines.map(\.text)
            let indentation =
                code.filter { !$0.allSatisfy { $0 == " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            var shown: [String] = []
            for line in code.map({ String($0.dropFirst(indentation)) }) {
                // Parts that are not shown yet leave one empty line between their neighbours, and none at the beginning.
                if line.isEmpty, shown.last?.isEmpty ?? true { continue }
                shown.append(line)
            }
            while shown.last?.isEmpty == true { shown.removeLast() }
            return shown.joined(separator: "\n") + "\n"
        }
    }
}
