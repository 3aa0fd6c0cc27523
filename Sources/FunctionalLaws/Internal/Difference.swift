import PropertyTesting

/// One place in which two values differ.
package struct Difference {
    /// The names on the way to it, such as `cart.total`; empty for the value itself.
    package var path: String
    package var left: String
    package var right: String

    package init(path: String, left: String, right: String) {
        (self.path, self.left, self.right) = (path, left, right)
    }

    /// How many places are shown; what follows adds little.
    static let limit = 5

    /// The places in which two values print differently, without what is the same; none if they print alike.
    package static func all(_ left: Any, _ right: Any) -> [Difference] {
        var found: [Difference] = []
        collect(left, right, "", &found)
        return found
    }

    private static func collect(_ left: Any, _ right: Any, _ path: String, _ found: inout [Difference]) {
        let (leftText, rightText) = Verdict.texts(of: left, right)
        guard found.count < limit, leftText != rightText else { return }
        let (first, second) = (Mirror(reflecting: left), Mirror(reflecting: right))
        let isStruct = first.displayStyle == .struct || first.displayStyle == .tuple
        let isList = first.displayStyle == .collection && first.children.count == second.children.count
        let count = found.count
        if (isStruct || isList) && first.subjectType == second.subjectType && !first.children.isEmpty {
            for ((index, child), other) in zip(first.children.enumerated(), second.children) {
                let name = isList ? "[\(index)]" : (path.isEmpty ? "" : ".") + (child.label ?? "\(index)")
                collect(child.value, other.value, path + name, &found)
            }
        }
        // Nothing in it differs by itself: it describes itself otherwise.
        if found.count == count {
            found.append(Difference(path: path, left: leftText, right: rightText))
        }
    }
}
