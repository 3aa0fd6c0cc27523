/// What makes a case again: the seed of its choices and its size, as one short line, `"t6av1qkxm5v8-5"`.
///
/// The same line gives the same input in every process, on every machine, as long as the generator is the same.
public struct Replay: Sendable, Equatable, CustomStringConvertible {
    let seed: UInt64
    let size: Int

    init(seed: UInt64, size: Int) {
        self.seed = seed
        self.size = size
    }

    /// The case that a failure's text names. `nil` when `text` is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count == 2, let seed = UInt64(parts[0], radix: 36), let size = Int(parts[1], radix: 36),
            (1...100).contains(size)
        else { return nil }
        self.init(seed: seed, size: size)
    }

    /// The line to give to `.replay`.
    public var description: String {
        "\(String(seed, radix: 36))-\(String(size, radix: 36))"
    }
}
