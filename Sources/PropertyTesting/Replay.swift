/// The seed and the size of a case, from which the input of the case can be generated again.
///
/// The text of a replay, such as `"t6av1qkxm5v8-5"`, is part of the text of a failure. As long as the generator is the
/// same, the same text generates the same input in every process and on every machine.
public struct Replay: Sendable, Equatable, CustomStringConvertible {
    let seed: UInt64
    let size: Int

    init(seed: UInt64, size: Int) {
        self.seed = seed
        self.size = size
    }

    /// Creates a replay from its text. Returns `nil` if `text` is not valid.
    ///
    /// - Parameter text: The text that the failing property printed.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count == 2, let seed = UInt64(parts[0], radix: 36), let size = Int(parts[1], radix: 36),
            (1...100).contains(size)
        else { return nil }
        self.init(seed: seed, size: size)
    }

    /// The text to pass to `.replay`.
    public var description: String {
        "\(String(seed, radix: 36))-\(String(size, radix: 36))"
    }
}
