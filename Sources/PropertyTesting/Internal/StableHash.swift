/// A hash function with the same result in every process, unlike the standard library's.
///
/// It is FNV-1a, followed by a mixing step. Equal strings have equal hashes, even if their accents are composed
/// differently.
enum StableHash {
    static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: UInt64) { hash = (hash ^ number) &* 0x100_0000_01B3 }
        // Finding a place is expensive, and the places of the first few characters distinguish most strings.
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
                // Some non-ASCII characters equal an ASCII character, and must have the same hash.
                if place >= 0x80 { places += 1 }
            }
        }
        return RandomNumbers.mixed(hash)
    }

    /// Returns the last scalar that is not ordered after the character.
    ///
    /// Equal characters have the same place in the order of characters. The standard library has no other public
    /// operation that returns the same value for equal characters.
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
