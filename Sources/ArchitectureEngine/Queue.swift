/// A queue of two arrays. Both operations take constant time, amortized.
package struct Queue<Element> {
    private var new: [Element] = []
    /// The elements before those of `new`, in reverse order.
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
