import Foundation

/// usage: DocumentationSite ARCHIVE HOME FOLDER
///
/// Turns a merged documentation archive into the site: replaces its landing page by the page of the archive HOME, and adds the
/// header, the colors, the index of the search, and a list of pages. Then checks links and documentation comments. FOLDER
/// contains the header, the colors and the search words. Exits with a status of 1 on errors.
@main
enum DocumentationSite {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        guard arguments.count == 3 else {
            print("usage: DocumentationSite ARCHIVE HOME FOLDER")
            exit(64)
        }
        let (folder, home, sources) = (arguments[0], arguments[1], arguments[2])
        func text(_ name: String) throws -> String {
            try String(contentsOf: sources.appending(path: name), encoding: .utf8)
        }
        for name in ["header.js", "theme-settings.json"] {
            try text(name).write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        try Archive(folder).replaceLandingPage(by: home)

        let archive = try Archive(folder)
        let words = searchWords(in: try text("search-words.txt"))
        try archive.writeSearchIndex(words: words)
        try archive.writeListOfPages(title: "Functional Architecture")
        try archive.addHeader(try text("header.html"))

        let errors = archive.errors(of: words) + archive.deadLinks() + archive.undocumented()
        for error in errors { print(error) }
        exit(errors.isEmpty ? 0 : 1)
    }

    /// Reads lines of the form "/documentation/loop: words". Lines that begin with "#" are comments.
    static func searchWords(in text: String) -> [String: String] {
        var words: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { words[String(parts[0]), default: ""] += parts[1].trimmingPrefix(" ") }
        }
        return words
    }
}
