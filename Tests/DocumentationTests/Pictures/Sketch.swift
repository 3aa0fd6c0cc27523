/// A picture for the documentation, as SVG for light and for dark pages.
///
/// The shapes have roles, such as `.quiet`, and the role decides about the color.
struct Sketch {
    enum Role: String {
        case ink, quiet, line, surface, first, second, third, fourth, stopped, code
    }

    let width: Int
    let height: Int
    /// What the picture shows, for those who do not see it.
    let title: String
    private var elements: [String] = []

    init(width: Int, height: Int, title: String) {
        self.width = width
        self.height = height
        self.title = title
    }

    // MARK: - Shapes

    enum Anchor: String { case start, middle, end }

    mutating func text(
        _ text: String, _ x: Int, _ y: Int, _ role: Role = .ink, _ anchor: Anchor = .middle, size: Int = 14,
        isBold: Bool = false
    ) {
        let weight = isBold ? " font-weight=\"600\"" : ""
        elements.append(
            "<text x=\"\(x)\" y=\"\(y)\" class=\"t \(role.rawValue)\" font-size=\"\(size)\" "
                + "text-anchor=\"\(anchor.rawValue)\"\(weight)>\(Self.escaped(text))</text>")
    }

    mutating func code(_ text: String, _ x: Int, _ y: Int, _ anchor: Anchor = .middle, size: Int = 13) {
        elements.append(
            "<text x=\"\(x)\" y=\"\(y)\" class=\"m\" font-size=\"\(size)\" text-anchor=\"\(anchor.rawValue)\">"
                + "\(Self.escaped(text))</text>")
    }

    mutating func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, isDashed: Bool = false, _ role: Role = .line) {
        let dash = isDashed ? " stroke-dasharray=\"3 4\"" : ""
        elements.append("<path d=\"M\(x1) \(y1)L\(x2) \(y2)\" class=\"p \(role.rawValue)\"\(dash)/>")
    }

    mutating func arrow(_ points: [(Int, Int)], _ role: Role = .line) {
        let path = points.enumerated().map { "\($0 == 0 ? "M" : "L")\($1.0) \($1.1)" }.joined()
        elements.append("<path d=\"\(path)\" class=\"p \(role.rawValue)\" marker-end=\"url(#\(role.rawValue))\"/>")
    }

    mutating func bar(_ x1: Int, _ x2: Int, _ y: Int, _ role: Role) {
        elements.append(
            "<rect x=\"\(x1)\" y=\"\(y - 9)\" width=\"\(max(x2 - x1, 2))\" height=\"18\" rx=\"9\" class=\"f \(role.rawValue)\"/>"
        )
    }

    mutating func marble(_ label: String, _ x: Int, _ y: Int, _ role: Role) {
        let width = max(28, 12 + 9 * label.count)
        elements.append(
            "<rect x=\"\(x - width / 2)\" y=\"\(y - 14)\" width=\"\(width)\" height=\"28\" rx=\"14\" "
                + "class=\"f \(role.rawValue)\"/>")
        text(label, x, y + 5, .ink, size: 14, isBold: true)
    }

    mutating func cross(_ x: Int, _ y: Int) {
        elements.append("<path d=\"M\(x - 6) \(y - 6)l12 12m0 -12l-12 12\" class=\"p stopped\" stroke-width=\"2.5\"/>")
    }

    mutating func end(_ x: Int, _ y: Int) {
        elements.append("<path d=\"M\(x) \(y - 12)v24\" class=\"p line\" stroke-width=\"3\"/>")
    }

    /// A box with a heading and further lines.
    mutating func box(
        _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ heading: String, _ lines: [String] = [],
        _ role: Role = .surface
    ) {
        elements.append(
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"10\" class=\"b \(role.rawValue)\"/>"
        )
        let top = y + height / 2 + 5 - 9 * lines.count
        text(heading, x + width / 2, top, .ink, size: 15, isBold: true)
        for (index, line) in lines.enumerated() { text(line, x + width / 2, top + 19 * (index + 1), .quiet, size: 13) }
    }

    // MARK: - SVG

    /// The light picture has a background, so that it can be read on a dark page that does not know the dark one.
    func svg(isDark: Bool) -> String {
        let colors = isDark ? Self.dark : Self.light
        let markers = [Role.line, .first, .second, .third].map { role in
            """
            <marker id="\(role.rawValue)" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
            <path d="M0 0L8 4L0 8z" fill="\(colors[role]!.stroke)"/></marker>
            """
        }
        let styles = colors.sorted { $0.key.rawValue < $1.key.rawValue }.map { role, color in
            ".t.\(role.rawValue){fill:\(color.text)}.f.\(role.rawValue),.b.\(role.rawValue){fill:\(color.fill);"
                + "stroke:\(color.stroke)}.p.\(role.rawValue){stroke:\(color.stroke)}"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            role="img" aria-label="\(Self.escaped(title))">
            <title>\(Self.escaped(title))</title>
            <style>text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}\
            .m{font-family:ui-monospace,Menlo,Consolas,monospace;fill:\(colors[.ink]!.text)}\
            .p{fill:none;stroke-width:1.6}.f{stroke-width:1.4}.b{stroke-width:1.4}\(styles.joined())</style>
            <defs>\(markers.joined())</defs>
            \(isDark ? "" : "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>")
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    private struct Color {
        let text, fill, stroke: String
    }

    private static let light: [Role: Color] = [
        .ink: Color(text: "#1d1d1f", fill: "#ffffff", stroke: "#1d1d1f"),
        .quiet: Color(text: "#56565c", fill: "#f5f5f7", stroke: "#8a8a90"),
        .line: Color(text: "#56565c", fill: "#ffffff", stroke: "#77777d"),
        .surface: Color(text: "#1d1d1f", fill: "#f5f7fa", stroke: "#a9b4c2"),
        .first: Color(text: "#0b57a4", fill: "#d6e8fb", stroke: "#0b57a4"),
        .second: Color(text: "#8a4b00", fill: "#fde6c8", stroke: "#a65a00"),
        .third: Color(text: "#1b6b3a", fill: "#d5f0df", stroke: "#1b6b3a"),
        .fourth: Color(text: "#7a2b8f", fill: "#f1dcf7", stroke: "#7a2b8f"),
        .stopped: Color(text: "#b3261e", fill: "#fbe0de", stroke: "#b3261e"),
        .code: Color(text: "#1d1d1f", fill: "#eef1f5", stroke: "#a9b4c2"),
    ]

    private static let dark: [Role: Color] = [
        .ink: Color(text: "#f5f5f7", fill: "#000000", stroke: "#f5f5f7"),
        .quiet: Color(text: "#b4b4bb", fill: "#1c1c1e", stroke: "#8a8a90"),
        .line: Color(text: "#b4b4bb", fill: "#000000", stroke: "#98989f"),
        .surface: Color(text: "#f5f5f7", fill: "#1b222b", stroke: "#55606e"),
        .first: Color(text: "#6cb6ff", fill: "#12304d", stroke: "#6cb6ff"),
        .second: Color(text: "#f5b35c", fill: "#46300f", stroke: "#f5b35c"),
        .third: Color(text: "#6fd394", fill: "#143a24", stroke: "#6fd394"),
        .fourth: Color(text: "#dfa3f0", fill: "#3d1d47", stroke: "#dfa3f0"),
        .stopped: Color(text: "#ff8a80", fill: "#4a1713", stroke: "#ff8a80"),
        .code: Color(text: "#f5f5f7", fill: "#232a33", stroke: "#55606e"),
    ]

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
