import Foundation

/// The growth as an SVG file: a panel for each group, with logarithmic axes, in light and dark mode.
struct GrowthChart {
    private static let panel = (width: 610.0, height: 420.0)
    private static let plot = (left: 70.0, top: 44.0, width: 290.0, height: 330.0)
    private static let columns = 2
    private static let top = 64.0
    /// Powers of ten: 1 to 10,000 elements, and one nanosecond to ten milliseconds.
    private static let (decades, timeDecades) = (4.0, 7.0)
    private static let lineHeight = 15.0

    private static let style = """
        <style>
          text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }
          .page { fill: #ffffff } .grid { stroke: #d8dee4 } .quiet { fill: #59636e }
          .title { font-size: 16px; font-weight: 600 } .name { font-size: 13px; font-weight: 600 }
          path, polyline { fill: none; stroke-linejoin: round }
          .flat { stroke: #1a7f37; fill: #1a7f37 } .linear { stroke: #0969da; fill: #0969da }
          .worse { stroke: #cf222e; fill: #cf222e }
          polyline.flat, polyline.linear, polyline.worse { fill: none; stroke-width: 1.8 }
          path.flat, path.linear, path.worse { fill: none; stroke-width: 0.7; opacity: 0.6 }
          text.flat, text.linear, text.worse { stroke: none }
          @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d } .quiet { fill: #9198a1 }
            .flat { stroke: #3fb950; fill: #3fb950 } .linear { stroke: #58a6ff; fill: #58a6ff }
            .worse { stroke: #ff7b72; fill: #ff7b72 }
          }
        </style>
        """

    static func svg(_ groups: [(name: String, curves: [Curve])]) -> String {
        let rows = (groups.count + columns - 1) / columns
        let (width, height) = (panel.width * Double(columns), top + panel.height * Double(rows))
        let panels = groups.enumerated().map { index, group in
            let place = (Double(index % columns) * panel.width, top + Double(index / columns) * panel.height)
            return "<g transform=\"translate(\(place.0), \(place.1))\">\n\(axes(group.name))\n"
                + "\(curves(group.curves))\n</g>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))"
                viewBox="0 0 \(number(width)) \(number(height))" role="img">
            <title>What grows with what: the time of an operation by the number of things</title>
            \(style)
            <rect class="page" width="100%" height="100%"/>
            \(text("The time of one operation, by the number n of things", at: (20, 28), "title"))
            \(legend(at: (20, 50)))
            \(panels.joined(separator: "\n"))
            </svg>

            """
    }

    private static func legend(at place: (x: Double, y: Double)) -> String {
        let meanings: [(Curve.Growth, String)] = [
            (.flat, "flat: independent of n"), (.linear, "linear: proportional to n"), (.worse, "worse than linear"),
        ]
        return meanings.enumerated().map { index, meaning in
            let x = place.x + Double(index) * 190
            return "<polyline class=\"\(meaning.0)\" points=\"\(x),\(place.y - 4) \(x + 22),\(place.y - 4)\"/>"
                + text(meaning.1, at: (x + 28, place.y), "\(meaning.0)")
        }.joined(separator: "\n")
    }

    // MARK: - Panels

    private static func axes(_ name: String) -> String {
        let (right, bottom) = (plot.left + plot.width, plot.top + plot.height)
        var parts = [text(name, at: (plot.left, plot.top - 14), "name")]
        for (power, label) in ["1", "10", "100", "1,000", "10,000"].enumerated() {
            let at = x(pow(10, Double(power)))
            parts.append("<path class=\"grid\" d=\"M\(number(at)) \(plot.top)V\(bottom)\"/>")
            parts.append(text(label, at: (at, bottom + 18), "quiet", anchor: "middle"))
        }
        for (power, label) in ["1 ns", "10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms"].enumerated() {
            let at = y(pow(10, Double(power)))
            parts.append("<path class=\"grid\" d=\"M\(plot.left) \(number(at))H\(right)\"/>")
            parts.append(text(label, at: (plot.left - 8, at + 4), "quiet", anchor: "end"))
        }
        return parts.joined(separator: "\n")
    }

    private static func curves(_ curves: [Curve]) -> String {
        let ends = curves.map { y($0.points.last?.nanoseconds ?? 1) }
        let labels = apart(ends)
        return zip(curves, zip(ends, labels)).map { curve, heights in
            let points = curve.points.map { "\(number(x(Double($0.size)))),\(number(y($0.nanoseconds)))" }
            let end = x(Double(curve.points.last?.size ?? 1))
            let (edge, label) = (plot.left + plot.width + 6, plot.left + plot.width + 22)
            return "<polyline class=\"\(curve.growth)\" points=\"\(points.joined(separator: " "))\"/>\n"
                + "<path class=\"\(curve.growth)\" d=\"M\(number(end)) \(number(heights.0))H\(edge)L\(label - 3) \(number(heights.1))\"/>\n"
                + text(curve.series.name, at: (label, heights.1 + 4), "\(curve.growth)")
        }.joined(separator: "\n")
    }

    /// Moves heights apart, so that the labels at them do not overlap, and keeps their order.
    private static func apart(_ heights: [Double]) -> [Double] {
        let order = heights.indices.sorted { heights[$0] < heights[$1] }
        var moved = heights
        for _ in 0..<200 {
            for (upper, lower) in zip(order, order.dropFirst()) {
                let lack = lineHeight - (moved[lower] - moved[upper])
                if lack > 0 {
                    moved[upper] -= lack / 2
                    moved[lower] += lack / 2
                }
            }
        }
        return moved
    }

    // MARK: - Scales

    private static func x(_ size: Double) -> Double {
        plot.left + log10(size) / decades * plot.width
    }

    private static func y(_ nanoseconds: Double) -> Double {
        plot.top + (1 - log10(max(1, nanoseconds)) / timeDecades) * plot.height
    }

    private static func text(
        _ text: String, at place: (Double, Double), _ style: String, anchor: String = "start"
    ) -> String {
        let at = "x=\"\(number(place.0))\" y=\"\(number(place.1))\""
        return "<text class=\"\(style)\" \(at) text-anchor=\"\(anchor)\">\(text)</text>"
    }

    private static func number(_ number: Double) -> String {
        String(format: "%.1f", number)
    }
}
