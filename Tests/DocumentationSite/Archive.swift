import Foundation

/// A merged archive: its pages, and what this tool adds to it.
struct Archive {
    let folder: URL
    let pages: [Page]

    init(_ folder: URL) throws {
        self.folder = folder
        let data = folder.appending(path: "data")
        let paths = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
        pages = try paths.filter { $0.hasSuffix(".json") }.sorted().map { path in
            try Page(path: "/" + path.dropLast(".json".count), file: data.appending(path: path))
        }
    }

    // MARK: - Search

    /// An entry of the index that the header of each page searches. The names are short because there are thousands.
    private struct Entry: Encodable {
        /// Title, kind, module, path, and the owner of a member.
        let t, k, m, p: String
        let o: String?
        /// Further words by which the page is found, and its summary.
        let w, s: String?
        /// Headings with their anchors.
        let h: [[String]]?
    }

    /// Writes the index of the search: titles, headings, summaries and symbols of all modules.
    func writeSearchIndex(words: [String: String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entries = pages.filter { !$0.isGenerated && !$0.title.isEmpty && $0.path != "/documentation" }.map { page in
            let isMember = page.kind == .member
            let headings = isMember ? [] : page.headings.map { [$0.text, $0.anchor] }
            return Entry(
                t: page.title, k: page.kind.rawValue, m: page.module, p: page.path,
                o: isMember ? page.owner : nil, w: words[page.path],
                s: isMember || page.summary.isEmpty ? nil : page.summary, h: headings.isEmpty ? nil : headings)
        }
        try encoder.encode(entries).write(to: folder.appending(path: "index/search.json"))
    }

    /// Returns an error for each line of the file of search words whose page does not exist.
    func errors(of words: [String: String]) -> [String] {
        let paths = Set(pages.map(\.path))
        return words.keys.filter { !paths.contains($0) }.sorted().map { path in
            "search-words.txt: error: There is no page \(path)."
        }
    }

    // MARK: - The landing page

    /// Replaces the landing page that `docc merge` makes by that of a catalog with a technology root.
    func replaceLandingPage(by home: URL) throws {
        let pages = home.appending(path: "data/documentation")
        let name = try FileManager.default.contentsOfDirectory(atPath: pages.path).first { $0.hasSuffix(".json") }
        guard let name else { throw CocoaError(.fileNoSuchFile) }
        let text = try String(contentsOf: pages.appending(path: name), encoding: .utf8)
        // Its own path. Other pages do not link to it.
        let path = "/documentation/" + name.dropLast(".json".count)
        try text.replacing("\"\(path)\"", with: "\"/documentation\"")
            .replacing("\"\(path.replacing("/", with: "\\/"))\"", with: "\"\\/documentation\"")
            .write(to: folder.appending(path: "data/documentation.json"), atomically: true, encoding: .utf8)
        for images in try FileManager.default.contentsOfDirectory(atPath: home.appending(path: "images").path) {
            let copy = folder.appending(path: "images/\(images)")
            try? FileManager.default.removeItem(at: copy)
            try FileManager.default.copyItem(at: home.appending(path: "images/\(images)"), to: copy)
        }
    }

    // MARK: - The header

    /// Adds the header to each page, with a link to the list of pages for browsers without JavaScript.
    func addHeader(_ header: String) throws {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for file in files where file.hasSuffix("/index.html") {
            let url = folder.appending(path: file)
            let page = try String(contentsOf: url, encoding: .utf8)
            guard let base = page.firstMatch(of: #/baseUrl = "([^"]*)"/#)?.1, !page.contains("site-header") else {
                continue
            }
            let app = "<div id=\"app\">"
            let template = "<template id=\"site-header\">\(header)</template>"
            let addition = template + "<script src=\"\(base)header.js\"></script>"
            let refresh = "<p>Please turn on JavaScript in your browser and refresh the page to view its content.</p>"
            let list = "<p>The <a href=\"\(base)pages.html\">list of all pages</a> does not.</p>"
            try page.replacing(app, with: addition + app).replacing(refresh, with: list)
                .write(to: url, atomically: false, encoding: .utf8)
        }
    }

    // MARK: - The list of pages

    /// Writes a list of all articles, tutorials and types, which needs no JavaScript.
    func writeListOfPages(title: String) throws {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        func items(_ pages: [Page]) -> String {
            pages.map { page in
                "<li><a href=\"\(page.path.dropFirst())/\">\(escaped(page.title))</a></li>"
            }
            .joined(separator: "\n")
        }
        let listed = pages.filter { !$0.isGenerated }
        let tutorials = listed.filter { $0.kind == .tutorial && !$0.title.isEmpty }
        let modules = listed.filter { $0.kind == .module }.map { module in
            let own = listed.filter { $0.path.hasPrefix(module.path + "/") }
            return """
                <h2><a href="\(module.path.dropFirst())/">\(escaped(module.title))</a></h2>
                <h3>Articles</h3>
                <ul>
                \(items(own.filter { $0.kind == .article }))
                </ul>
                <h3>Types</h3>
                <ul class="types">
                \(items(own.filter { $0.kind == .type }))
                </ul>
                """
        }
        let text = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(title)): all pages</title>
            <style>
            body { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
            ul { columns: 18rem; padding-left: 1.2rem }
            h3 { margin-bottom: 0 }
            </style>
            <h1>\(escaped(title))</h1>
            <p><a href="documentation/">Start here</a></p>
            \(tutorials.isEmpty ? "" : "<h2>Tutorials</h2>\n<ul>\n\(items(tutorials))\n</ul>")
            \(modules.joined(separator: "\n"))
            </html>

            """
        try text.write(to: folder.appending(path: "pages.html"), atomically: true, encoding: .utf8)
        let root = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="0; url=documentation/">
            <title>\(escaped(title))</title>
            <p><a href="documentation/">\(escaped(title))</a>, <a href="pages.html">all pages</a></p>
            </html>

            """
        try root.write(to: folder.appending(path: "index.html"), atomically: true, encoding: .utf8)
    }

    // MARK: - Checks

    /// Returns an error for each link to a page or a heading that does not exist.
    func deadLinks() -> [String] {
        let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })
        return pages.flatMap { page in
            page.links.compactMap { link in
                let parts = link.split(separator: "#", maxSplits: 1).map(String.init)
                let path = parts[0].hasSuffix("/") ? String(parts[0].dropLast()) : parts[0]
                guard let found = anchors[path] else { return "\(page.path): error: There is no page \(link)." }
                guard parts.count == 2 else { return nil }
                return found.contains(parts[1]) ? nil : "\(page.path): error: \(path) has no heading #\(parts[1])."
            }
        }
    }

    /// Returns an error for each public symbol without documentation, except cases of laws, whose raw values state the laws.
    func undocumented() -> [String] {
        pages.filter { page in
            (page.kind == .type || page.kind == .member) && !page.isDocumented && !page.isGenerated
                && !page.owner.hasSuffix("Law")
        }
        .map { page in "\(page.path): error: \(page.title) has no documentation." }
    }
}
