import Foundation

/// A page that is put together from its sources and data. The sources are the folder `Page`.
struct PageTemplate {
    /// An inert element with a part of the data.
    struct Element {
        var attributes: String
        var content: [UInt8]
    }

    private let name: String

    /// The page with this name: `index` or `diff`.
    init(_ name: String) { self.name = name }

    /// Returns the page. `first` is data that stands before the script, so that it is shown while the rest is read.
    ///
    /// Only the script and the style of the page have its nonce. So the policy of the page forbids other scripts.
    func page(meta: [UInt8], first: [Element], rest: [Element], connects: Bool) throws -> Data {
        let nonce = Data((0..<18).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        var html = try Self.source("\(name).html")
        let policy = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; \
            connect-src \(connects ? "'self'" : "'none'"); base-uri 'none'; form-action 'none'
            """
        html = html.replacing(
            #"<meta name="referrer""#,
            with: "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n<meta name=\"referrer\"",
            maxReplacements: 1)
        var styles = ""
        for style in html.matches(of: /<link rel="stylesheet" href="(.*?)">/) {
            styles += try Self.source(String(style.1))
        }
        var script = RowFormat.script
        for each in html.matches(of: /<script src="(.*?)"><\/script>\n/) {
            script += try Self.source(String(each.1)) + "\n"
        }
        guard !script.contains("</script") && !script.contains("<!--") else {
            throw InspectorError("A script of the page contains the end of an element.")
        }
        html = html.replacing(
            /<link rel="stylesheet" href=".*?">\n/, with: "<style nonce=\"\(nonce)\">\n\(styles)</style>\n",
            maxReplacements: 1)
        html = html.replacing(/<link rel="stylesheet" href=".*?">\n/, with: "")
        html = html.replacing(/<script src=".*?"><\/script>\n/, with: "@@SCRIPT@@", maxReplacements: 1)
        html = html.replacing(/<script src=".*?"><\/script>\n/, with: "")
        let places = try [#"id="meta">"#, "<!--FIRST ROWS-->\n", "@@SCRIPT@@", "<!--OTHER ROWS-->\n"].map { mark in
            guard let place = html.firstRange(of: mark) else { throw InspectorError("\(name).html lacks \(mark).") }
            return place
        }
        let endOfMeta = html[places[0].upperBound...].firstRange(of: "</script>")!.lowerBound
        var data = Data()
        data.reserveCapacity((first + rest).reduce(html.utf8.count + script.utf8.count) { $0 + $1.content.count + 100 })
        data.append(contentsOf: html[..<places[0].upperBound].utf8)
        data.append(contentsOf: meta)
        data.append(contentsOf: html[endOfMeta..<places[1].lowerBound].utf8)
        for element in first { Self.append(element, to: &data) }
        data.append(contentsOf: html[places[1].upperBound..<places[2].lowerBound].utf8)
        data.append(contentsOf: "<script nonce=\"\(nonce)\">\n\(script)</script>\n".utf8)
        data.append(contentsOf: html[places[2].upperBound..<places[3].lowerBound].utf8)
        for element in rest { Self.append(element, to: &data) }
        data.append(contentsOf: html[places[3].upperBound...].utf8)
        return data
    }

    private static func append(_ element: Element, to data: inout Data) {
        data.append(contentsOf: "<script type=\"application/json\" \(element.attributes)>".utf8)
        data.append(contentsOf: element.content)
        data.append(contentsOf: "</script>\n".utf8)
    }

    private static func source(_ name: String) throws -> String {
        let url = Bundle.module.bundleURL.appending(path: "Page/\(name)")
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
}

/// What the beginning of a page says about its rows.
struct PageMeta {
    var title: String
    var rows: Int
    var owners: [LineHead.Owner]
    var notes: [String]
    var range: String?
    /// The number of the run that the page follows.
    var run: Int?

    var json: [UInt8] {
        var json = Array("{\"title\":".utf8)
        json.appendJSON(title)
        json.append(contentsOf: ",\"rows\":\(rows),\"owners\":".utf8)
        json.appendOwners(owners[...])
        json.append(contentsOf: ",\"notes\":".utf8)
        json.appendJSON(notes)
        if let range {
            json.append(contentsOf: ",\"range\":".utf8)
            json.appendJSON(range)
        }
        if let run { json.append(contentsOf: ",\"follow\":true,\"run\":\(run)".utf8) }
        json.append(UInt8(ascii: "}"))
        return json
    }
}

extension [UInt8] {
    mutating func appendOwners(_ owners: ArraySlice<LineHead.Owner>) {
        append(UInt8(ascii: "["))
        for (index, owner) in owners.enumerated() {
            append(contentsOf: index > 0 ? ",[".utf8 : "[".utf8)
            appendJSON(owner.name)
            append(contentsOf: ",\(owner.number)]".utf8)
        }
        append(UInt8(ascii: "]"))
    }
}
