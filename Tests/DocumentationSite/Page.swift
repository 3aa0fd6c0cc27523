import Foundation

/// A page of a documentation archive, as the renderer reads it from a file of the folder `data`.
struct Page {
    enum Kind: String {
        case article, tutorial, module, type, member
    }

    /// As in links: "/documentation/dispatcher/gettingstarted".
    let path: String
    let json: [String: Any]

    /// A heading and the anchor that links to it.
    struct Heading: Equatable {
        let text: String
        let anchor: String
    }

    init(path: String, file: URL) throws {
        self.path = path
        json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    private var metadata: [String: Any] { json["metadata"] as? [String: Any] ?? [:] }
    private var role: String { metadata["role"] as? String ?? "" }
    private var symbolKind: String? { metadata["symbolKind"] as? String }

    var title: String { metadata["title"] as? String ?? "" }

    var module: String {
        let modules = metadata["modules"] as? [[String: Any]] ?? []
        return modules.first?["name"] as? String ?? ""
    }

    var kind: Kind {
        if path.hasPrefix("/tutorials") { return .tutorial }
        guard json["kind"] as? String == "symbol" else { return .article }
        switch symbolKind {
        case "module": return .module
        case "struct", "class", "enum", "protocol", "typealias", "actor", "extension": return .type
        default: return .member
        }
    }

    /// Whether the compiler of the documentation made the page, such as "Equatable Implementations".
    var isGenerated: Bool { role == "collectionGroup" && title.hasSuffix(" Implementations") }

    var isDocumented: Bool { !(json["abstract"] as? [Any] ?? []).isEmpty }

    /// The first sentence of the page, without links.
    var summary: String {
        let parts = json["abstract"] as? [[String: Any]] ?? []
        return parts.compactMap { $0["text"] as? String ?? $0["code"] as? String }.joined()
    }

    /// The title of the page above this one, such as the type of a method.
    var owner: String {
        let hierarchy = json["hierarchy"] as? [String: Any]
        let above = (hierarchy?["paths"] as? [[String]])?.first?.last
        return above.flatMap { references[$0]?["title"] as? String } ?? ""
    }

    private var references: [String: [String: Any]] { json["references"] as? [String: [String: Any]] ?? [:] }

    /// The links of the page to pages of the archive.
    var links: [String] {
        references.values.compactMap { reference in
            // A tutorial refers to its chapters, which have no pages.
            guard path.hasPrefix("/documentation") || reference["type"] as? String == "link",
                let type = reference["type"] as? String, ["topic", "section", "link"].contains(type),
                let url = reference["url"] as? String, url.hasPrefix("/documentation") || url.hasPrefix("/tutorials")
            else { return nil }
            return url
        }
        .sorted()
    }

    var headings: [Heading] {
        let sections = json["primaryContentSections"] as? [[String: Any]] ?? []
        return sections.flatMap { section in
            (section["content"] as? [[String: Any]] ?? []).compactMap { block in
                guard block["type"] as? String == "heading", let text = block["text"] as? String,
                    let anchor = block["anchor"] as? String
                else { return nil }
                return Heading(text: text, anchor: anchor)
            }
        }
    }

    /// The anchors to which a link may lead.
    var anchors: Set<String> {
        var anchors = Set(headings.map(\.anchor))
        for key in ["topicSections", "seeAlsoSections", "relationshipsSections"] {
            for section in json[key] as? [[String: Any]] ?? [] {
                if let anchor = section["anchor"] as? String { anchors.insert(anchor) }
            }
        }
        // Sections of tutorials.
        for section in json["sections"] as? [[String: Any]] ?? [] {
            for task in section["tasks"] as? [[String: Any]] ?? [] {
                if let anchor = task["anchor"] as? String { anchors.insert(anchor) }
            }
        }
        return anchors
    }
}
