/// A hash that is the same in every process, as the standard library's is not (FNV-1a, and mixed once more).
///
/// Equal texts have equal hashes, however their accents are composed.
enum StableHash {
    static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01B3 }
        // A place is expensive to find; those of the first few characters tell most texts apart.
        var places = 0
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            for byte in text.utf8 { add(UInt64(byte)) }
            return RandomNumbers.mixed(hash)
        }
        for character in text {
            if character.utf8.allSatisfy({ $0 < 0x80 }) {
                for byte in character.utf8 { add(UInt64(byte)) }
            } else if places < 8 {
                let place = place(of: character)
                add(UInt64(place))
                // Some signs equal an ASCII character, and count as that does.
                if place >= 0x80 { places += 1 }
            }
        }
        return RandomNumbers.mixed(hash)
    }

    /// Which scalar comes last among those that are not after the character.
    ///
    /// The order of characters counts equal ones as equal, and the standard library has no other way to ask for what
    /// they have in common.
    private static func place(of character: Character) -> UInt32 {
        var (low, high) = (0 as UInt32, 0x10_F800 as UInt32)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            // There are no scalars from D800 to DFFF.
            let scalar = Unicode.Scalar(middle < 0xD800 ? middle : middle + 0x800)!
            if Character(scalar) <= character { low = middle } else { high = middle }
        }
        return low
    }
}
