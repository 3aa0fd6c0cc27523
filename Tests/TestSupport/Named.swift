public import Testing

/// A value with a name, by which a parameterized test reports it.
public struct Named<Value: Sendable>: Sendable, CustomTestStringConvertible {
    public let name: String
    public let value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    public var testDescription: String { name }
}
