import Foundation

/// Inserts the `swift` blocks of pages into templates, so that tests compile them.
///
/// A line `//@block Module/Page let lamp` of a template becomes the block of that page whose code begins with "let lamp",
/// without the imports at its head. A page is the README, an article, or a source file with blocks in comments.
struct Blocks {
    struct Block {
        let page: String
        var line: Int
        var code: [Substring] = []
        var isInserted = false

        /// As in a template: "README", "Dispatcher/GettingStarted".
        var name: String {
            let path = page.split(separator: "/")
            let stem = path.last!.prefix { $0 != "." }
            guard stem != "README", let sources = path.lastIndex(of: "Sources") else { return String(stem) }
            return "\(path[sources + 1])/\(stem)"
        }

        /// The code in one line.
        var text: String {
            Self.compact(code.joined(separator: " ").split(separator: " ").joined(separator: " "))
        }

        /// Makes code the same text whether arguments have lines of their own or not.
        static func compact(_ text: String) -> String {
            [("( ", "("), (" )", ")"), ("< ", "<"), (" >", ">")].reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }

    private var blocks: [Block] = []
    private(set) var errors: [String] = []

    mutating func add(_ text: String, of page: String) {
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = page.hasSuffix(".swift") ? line.replacing(#/^ *\/\/\/ ?/#, with: "") : line
            if line != "```swift", line.contains(#/^[\W\d]*(```|~~~)\W*swift/#.ignoresCase()) {
                errors.append(
                    "\(page):\(index + 1): error: The tests do not compile this block. To fix, write \"```swift\" alone in "
                        + "its line, without indentation.")
            }
            if line.hasPrefix("```") {
                isInside = !isInside && line == "```swift"
                if isInside { blocks.append(Block(page: page, line: index + 2)) }
            } else if isInside, blocks[blocks.count - 1].code.isEmpty, line.contains(#/^$|^(@testable )?import /#) {
                blocks[blocks.count - 1].line += 1
            } else if isInside {
                blocks[blocks.count - 1].code.append(line)
            }
        }
    }

    /// Returns the text of a template with the blocks in it. The compiler reports the places in pages and in the template.
    mutating func inserted(into text: String, of template: String) -> String {
        var output = ["#sourceLocation(file: \"\(template)\", line: 1)"]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let match = line.wholeMatch(of: #/ *//@block (\S+) (.+)/#) else {
                output.append(String(line))
                continue
            }
            let (_, name, beginning) = match.output
            let text = Block.compact(String(beginning))
            let found = blocks.indices.filter { blocks[$0].name == name && blocks[$0].text.hasPrefix(text) }
            if found.count == 1 {
                // A block that repeats it, such as one of the README, is compiled with it.
                let code = blocks[found[0]].code
                for other in blocks.indices where blocks[other].code == code { blocks[other].isInserted = true }
                // Within an expression, which such a block continues, a directive is not allowed.
                if !beginning.hasPrefix(".") { output.append(sourceLocation(of: blocks[found[0]])) }
                output += blocks[found[0]].code.map(String.init)
                output.append("#sourceLocation(file: \"\(template)\", line: \(index + 2))")
            } else {
                errors.append(
                    "\(template):\(index + 1): error: \(found.count) blocks of \(name) begin with \"\(beginning)\". "
                        + "To fix, write more of one, or change it if another begins with all of it.")
            }
        }
        return output.joined(separator: "\n")
    }

    private func sourceLocation(of block: Block) -> String {
        // Files with the same name have the same `#fileID`, about which the compiler warns.
        let name = block.page.split(separator: "/").last!
        let isUnique = blocks.allSatisfy { $0.page == block.page || !$0.page.hasSuffix("/\(name)") }
        let file = isUnique ? block.page : "\(block.page) (\(block.name.prefix { $0 != "/" }))"
        return "#sourceLocation(file: \"\(file)\", line: \(block.line))"
    }

    /// Reports the blocks that have been inserted nowhere, except those that contain only imports.
    mutating func finish() {
        for block in blocks where !block.isInserted && !block.code.isEmpty {
            errors.append(
                "\(block.page):\(block.line): error: No template contains this block. To fix, write in one: "
                    + "//@block \(block.name) \(block.text.prefix(40))")
        }
    }
}

/// usage: InsertBlocks FOLDER PAGE... -- TEMPLATE...
///
/// Writes a file for each template to the folder, unless it would be the same. Exits with a status of 1 on errors.
@main
enum InsertBlocks {
    static func main() throws {
        let files = CommandLine.arguments.dropFirst(2)
        var blocks = Blocks()
        for page in files.prefix(while: { $0 != "--" }) {
            blocks.add(try String(contentsOfFile: page, encoding: .utf8), of: page)
        }
        for template in files.drop(while: { $0 != "--" }).dropFirst() {
            let text = blocks.inserted(into: try String(contentsOfFile: template, encoding: .utf8), of: template)
            let file = "\(CommandLine.arguments[1])/Generated\(template.split(separator: "/").last!)"
            if text != (try? String(contentsOfFile: file, encoding: .utf8)) {
                try text.write(toFile: file, atomically: false, encoding: .utf8)
            }
        }
        blocks.finish()
        for error in blocks.errors { print(error) }
        exit(blocks.errors.isEmpty ? 0 : 1)
    }
}
