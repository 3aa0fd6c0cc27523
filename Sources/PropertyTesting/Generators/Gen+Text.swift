extension Gen where Value == Character {
    /// Letters, digits, punctuation and the space of ASCII; `a` is the simplest.
    public static var ascii: Gen {
        element(of: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?'\"()[]{}<>/\\|@#$%^&*+=~`")
    }

    /// Any character: ASCII ones most of the time, and those with which text is hard: composed and decomposed accents,
    /// emoji made of several scalars, flags, right-to-left, without width, line ends, NUL, and any scalar at all.
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
    /// Text of any characters; how long follows from the size. The empty one is the simplest.
    public static var string: Gen {
        string(of: .character)
    }

    /// Text of as many characters as `count` allows, or of a number that follows from the size.
    ///
    /// ```swift
    /// Gen.string(of: Gen.ascii, 1...8)
    /// ```
    ///
    /// Characters that combine may make it shorter than `count`.
    public static func string(of characters: Gen<Character>, _ count: ClosedRange<Int>? = nil) -> Gen {
        characters.array(count).map { String($0) }
    }
}
