import Effects

/// An action that is an object, and may be one of a subclass.
class Base: Action, @unchecked Sendable {
    // Unchecked: the class has no stored properties.
    var name: String { "base" }
}

final class Derived: Base, @unchecked Sendable {
    // Unchecked: the class has no stored properties.
    override var name: String { "derived" }
}
