/// A first-in, first-out queue. Appending and removing an element are O(1), amortized.
package struct Queue<Element> {
    private var new: [Element] = []
    /// The elements that precede those of `new`, in reverse order.
    private var old: [Element] = []

    package init() {}

    package var count: Int { old.count + new.count }

    package mutating func append(_ element: Element) {
        new.append(element)
    }

    /// Removes and returns the first element. There must be an element.
    package mutating func removeFirst() -> Element {
        if old.isEmpty { (old, new) = (new.reversed(), []) }
        return old.removeLast()
    }
}
