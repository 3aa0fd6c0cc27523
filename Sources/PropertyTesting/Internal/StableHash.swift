/// A hash that is the same in every process, as the standard library's is not (FNV-1a, and mixed once more).
enum StableHash {
    static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return RandomNumbers.mixed(hash)
    }
}
