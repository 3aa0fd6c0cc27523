extension Gen where Value == Character {
    /// A generator of the printable characters of ASCII. `a` is the simplest.
    public static var ascii: Gen {
        element(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?'\"()[]{}<>/\\|@#$%^&*+=~`")
    }

    /// A generator of all characters, most of which are ASCII characters. `a` is the simplest.
    ///
    /// Characters that often reveal errors are frequent: composed and decomposed accents, emoji of several scalars,
    /// flags, right-to-left and zero-width characters, line ends and NUL. One character in sixteen is an arbitrary
    /// scalar.
    public static var character: Gen {
        let hard = [
            "\n", "\t", "\r\n", "\0", "é", "e\u{301}", "ß", "İ", "ǆ", "ﬁ", "你", "\u{5E9}\u{5C1}", "م", "\u{FEFF}",
            "\u{2028}",
            "🙂", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}", "🇳🇴", "👍🏽", "\u{1F1F3}", "\u{301}", "\u{FFFD}",
        ].flatMap { Array($0) }
        let scalar = Gen<UInt32>.integer(in: 0...0x10FFFF).compactMap { Unicode.Scalar($0).map(Character.init) }
        return frequency([(12, ascii), (3, element(of: hard)), (1, scalar)])
    }
}

extension Gen where Value == String {
    /// A generator of strings of all characters. The empty string is the simplest.
    ///
    /// A string has at most as many characters as the ``Source/size``.
    public static var string: Gen {
        string(of: .character)
    }

    /// Returns a generator of strings. Shorter strings are simpler.
    ///
    /// ```swift
    /// Gen.string(of: Gen.ascii, 1...8)
    /// ```
    ///
    /// A string can have fewer characters than generated, because some characters combine with their neighbours.
    ///
    /// - Parameters:
    ///   - characters: Generates the characters.
    ///   - count: The possible numbers of generated characters. By default, there are at most as many characters as the
    ///     ``Source/size``.
    public static func string(of characters: Gen<Character>, _ count: ClosedRange<Int>? = nil) -> Gen {
        characters.array(count).map { String($0) }
    }
}
