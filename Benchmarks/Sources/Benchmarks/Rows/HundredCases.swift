// Printed by hundred-cases.sh.

import Optics

/// As many cases as there are screens in a large application.
enum Hundred: AutoPrism, Sendable {
    case c0(Int)
    case c1(Int)
    case c2(Int)
    case c3(Int)
    case c4(Int)
    case c5(Int)
    case c6(Int)
    case c7(Int)
    case c8(Int)
    case c9(Int)
    case c10(Int)
    case c11(Int)
    case c12(Int)
    case c13(Int)
    case c14(Int)
    case c15(Int)
    case c16(Int)
    case c17(Int)
    case c18(Int)
    case c19(Int)
    case c20(Int)
    case c21(Int)
    case c22(Int)
    case c23(Int)
    case c24(Int)
    case c25(Int)
    case c26(Int)
    case c27(Int)
    case c28(Int)
    case c29(Int)
    case c30(Int)
    case c31(Int)
    case c32(Int)
    case c33(Int)
    case c34(Int)
    case c35(Int)
    case c36(Int)
    case c37(Int)
    case c38(Int)
    case c39(Int)
    case c40(Int)
    case c41(Int)
    case c42(Int)
    case c43(Int)
    case c44(Int)
    case c45(Int)
    case c46(Int)
    case c47(Int)
    case c48(Int)
    case c49(Int)
    case c50(Int)
    case c51(Int)
    case c52(Int)
    case c53(Int)
    case c54(Int)
    case c55(Int)
    case c56(Int)
    case c57(Int)
    case c58(Int)
    case c59(Int)
    case c60(Int)
    case c61(Int)
    case c62(Int)
    case c63(Int)
    case c64(Int)
    case c65(Int)
    case c66(Int)
    case c67(Int)
    case c68(Int)
    case c69(Int)
    case c70(Int)
    case c71(Int)
    case c72(Int)
    case c73(Int)
    case c74(Int)
    case c75(Int)
    case c76(Int)
    case c77(Int)
    case c78(Int)
    case c79(Int)
    case c80(Int)
    case c81(Int)
    case c82(Int)
    case c83(Int)
    case c84(Int)
    case c85(Int)
    case c86(Int)
    case c87(Int)
    case c88(Int)
    case c89(Int)
    case c90(Int)
    case c91(Int)
    case c92(Int)
    case c93(Int)
    case c94(Int)
    case c95(Int)
    case c96(Int)
    case c97(Int)
    case c98(Int)
    case c99(Int)
}

extension Hundred {
    static let casePrisms: [Prism<Hundred, Int>] = [
        prism(for: Hundred.c0),
        prism(for: Hundred.c1),
        prism(for: Hundred.c2),
        prism(for: Hundred.c3),
        prism(for: Hundred.c4),
        prism(for: Hundred.c5),
        prism(for: Hundred.c6),
        prism(for: Hundred.c7),
        prism(for: Hundred.c8),
        prism(for: Hundred.c9),
        prism(for: Hundred.c10),
        prism(for: Hundred.c11),
        prism(for: Hundred.c12),
        prism(for: Hundred.c13),
        prism(for: Hundred.c14),
        prism(for: Hundred.c15),
        prism(for: Hundred.c16),
        prism(for: Hundred.c17),
        prism(for: Hundred.c18),
        prism(for: Hundred.c19),
        prism(for: Hundred.c20),
        prism(for: Hundred.c21),
        prism(for: Hundred.c22),
        prism(for: Hundred.c23),
        prism(for: Hundred.c24),
        prism(for: Hundred.c25),
        prism(for: Hundred.c26),
        prism(for: Hundred.c27),
        prism(for: Hundred.c28),
        prism(for: Hundred.c29),
        prism(for: Hundred.c30),
        prism(for: Hundred.c31),
        prism(for: Hundred.c32),
        prism(for: Hundred.c33),
        prism(for: Hundred.c34),
        prism(for: Hundred.c35),
        prism(for: Hundred.c36),
        prism(for: Hundred.c37),
        prism(for: Hundred.c38),
        prism(for: Hundred.c39),
        prism(for: Hundred.c40),
        prism(for: Hundred.c41),
        prism(for: Hundred.c42),
        prism(for: Hundred.c43),
        prism(for: Hundred.c44),
        prism(for: Hundred.c45),
        prism(for: Hundred.c46),
        prism(for: Hundred.c47),
        prism(for: Hundred.c48),
        prism(for: Hundred.c49),
        prism(for: Hundred.c50),
        prism(for: Hundred.c51),
        prism(for: Hundred.c52),
        prism(for: Hundred.c53),
        prism(for: Hundred.c54),
        prism(for: Hundred.c55),
        prism(for: Hundred.c56),
        prism(for: Hundred.c57),
        prism(for: Hundred.c58),
        prism(for: Hundred.c59),
        prism(for: Hundred.c60),
        prism(for: Hundred.c61),
        prism(for: Hundred.c62),
        prism(for: Hundred.c63),
        prism(for: Hundred.c64),
        prism(for: Hundred.c65),
        prism(for: Hundred.c66),
        prism(for: Hundred.c67),
        prism(for: Hundred.c68),
        prism(for: Hundred.c69),
        prism(for: Hundred.c70),
        prism(for: Hundred.c71),
        prism(for: Hundred.c72),
        prism(for: Hundred.c73),
        prism(for: Hundred.c74),
        prism(for: Hundred.c75),
        prism(for: Hundred.c76),
        prism(for: Hundred.c77),
        prism(for: Hundred.c78),
        prism(for: Hundred.c79),
        prism(for: Hundred.c80),
        prism(for: Hundred.c81),
        prism(for: Hundred.c82),
        prism(for: Hundred.c83),
        prism(for: Hundred.c84),
        prism(for: Hundred.c85),
        prism(for: Hundred.c86),
        prism(for: Hundred.c87),
        prism(for: Hundred.c88),
        prism(for: Hundred.c89),
        prism(for: Hundred.c90),
        prism(for: Hundred.c91),
        prism(for: Hundred.c92),
        prism(for: Hundred.c93),
        prism(for: Hundred.c94),
        prism(for: Hundred.c95),
        prism(for: Hundred.c96),
        prism(for: Hundred.c97),
        prism(for: Hundred.c98),
        prism(for: Hundred.c99),
    ]

    static let closurePrisms: [Prism<Hundred, Int>] = [
        Prism(Hundred.c0) { if case .c0(let number) = $0 { number } else { nil } },
        Prism(Hundred.c1) { if case .c1(let number) = $0 { number } else { nil } },
        Prism(Hundred.c2) { if case .c2(let number) = $0 { number } else { nil } },
        Prism(Hundred.c3) { if case .c3(let number) = $0 { number } else { nil } },
        Prism(Hundred.c4) { if case .c4(let number) = $0 { number } else { nil } },
        Prism(Hundred.c5) { if case .c5(let number) = $0 { number } else { nil } },
        Prism(Hundred.c6) { if case .c6(let number) = $0 { number } else { nil } },
        Prism(Hundred.c7) { if case .c7(let number) = $0 { number } else { nil } },
        Prism(Hundred.c8) { if case .c8(let number) = $0 { number } else { nil } },
        Prism(Hundred.c9) { if case .c9(let number) = $0 { number } else { nil } },
        Prism(Hundred.c10) { if case .c10(let number) = $0 { number } else { nil } },
        Prism(Hundred.c11) { if case .c11(let number) = $0 { number } else { nil } },
        Prism(Hundred.c12) { if case .c12(let number) = $0 { number } else { nil } },
        Prism(Hundred.c13) { if case .c13(let number) = $0 { number } else { nil } },
        Prism(Hundred.c14) { if case .c14(let number) = $0 { number } else { nil } },
        Prism(Hundred.c15) { if case .c15(let number) = $0 { number } else { nil } },
        Prism(Hundred.c16) { if case .c16(let number) = $0 { number } else { nil } },
        Prism(Hundred.c17) { if case .c17(let number) = $0 { number } else { nil } },
        Prism(Hundred.c18) { if case .c18(let number) = $0 { number } else { nil } },
        Prism(Hundred.c19) { if case .c19(let number) = $0 { number } else { nil } },
        Prism(Hundred.c20) { if case .c20(let number) = $0 { number } else { nil } },
        Prism(Hundred.c21) { if case .c21(let number) = $0 { number } else { nil } },
        Prism(Hundred.c22) { if case .c22(let number) = $0 { number } else { nil } },
        Prism(Hundred.c23) { if case .c23(let number) = $0 { number } else { nil } },
        Prism(Hundred.c24) { if case .c24(let number) = $0 { number } else { nil } },
        Prism(Hundred.c25) { if case .c25(let number) = $0 { number } else { nil } },
        Prism(Hundred.c26) { if case .c26(let number) = $0 { number } else { nil } },
        Prism(Hundred.c27) { if case .c27(let number) = $0 { number } else { nil } },
        Prism(Hundred.c28) { if case .c28(let number) = $0 { number } else { nil } },
        Prism(Hundred.c29) { if case .c29(let number) = $0 { number } else { nil } },
        Prism(Hundred.c30) { if case .c30(let number) = $0 { number } else { nil } },
        Prism(Hundred.c31) { if case .c31(let number) = $0 { number } else { nil } },
        Prism(Hundred.c32) { if case .c32(let number) = $0 { number } else { nil } },
        Prism(Hundred.c33) { if case .c33(let number) = $0 { number } else { nil } },
        Prism(Hundred.c34) { if case .c34(let number) = $0 { number } else { nil } },
        Prism(Hundred.c35) { if case .c35(let number) = $0 { number } else { nil } },
        Prism(Hundred.c36) { if case .c36(let number) = $0 { number } else { nil } },
        Prism(Hundred.c37) { if case .c37(let number) = $0 { number } else { nil } },
        Prism(Hundred.c38) { if case .c38(let number) = $0 { number } else { nil } },
        Prism(Hundred.c39) { if case .c39(let number) = $0 { number } else { nil } },
        Prism(Hundred.c40) { if case .c40(let number) = $0 { number } else { nil } },
        Prism(Hundred.c41) { if case .c41(let number) = $0 { number } else { nil } },
        Prism(Hundred.c42) { if case .c42(let number) = $0 { number } else { nil } },
        Prism(Hundred.c43) { if case .c43(let number) = $0 { number } else { nil } },
        Prism(Hundred.c44) { if case .c44(let number) = $0 { number } else { nil } },
        Prism(Hundred.c45) { if case .c45(let number) = $0 { number } else { nil } },
        Prism(Hundred.c46) { if case .c46(let number) = $0 { number } else { nil } },
        Prism(Hundred.c47) { if case .c47(let number) = $0 { number } else { nil } },
        Prism(Hundred.c48) { if case .c48(let number) = $0 { number } else { nil } },
        Prism(Hundred.c49) { if case .c49(let number) = $0 { number } else { nil } },
        Prism(Hundred.c50) { if case .c50(let number) = $0 { number } else { nil } },
        Prism(Hundred.c51) { if case .c51(let number) = $0 { number } else { nil } },
        Prism(Hundred.c52) { if case .c52(let number) = $0 { number } else { nil } },
        Prism(Hundred.c53) { if case .c53(let number) = $0 { number } else { nil } },
        Prism(Hundred.c54) { if case .c54(let number) = $0 { number } else { nil } },
        Prism(Hundred.c55) { if case .c55(let number) = $0 { number } else { nil } },
        Prism(Hundred.c56) { if case .c56(let number) = $0 { number } else { nil } },
        Prism(Hundred.c57) { if case .c57(let number) = $0 { number } else { nil } },
        Prism(Hundred.c58) { if case .c58(let number) = $0 { number } else { nil } },
        Prism(Hundred.c59) { if case .c59(let number) = $0 { number } else { nil } },
        Prism(Hundred.c60) { if case .c60(let number) = $0 { number } else { nil } },
        Prism(Hundred.c61) { if case .c61(let number) = $0 { number } else { nil } },
        Prism(Hundred.c62) { if case .c62(let number) = $0 { number } else { nil } },
        Prism(Hundred.c63) { if case .c63(let number) = $0 { number } else { nil } },
        Prism(Hundred.c64) { if case .c64(let number) = $0 { number } else { nil } },
        Prism(Hundred.c65) { if case .c65(let number) = $0 { number } else { nil } },
        Prism(Hundred.c66) { if case .c66(let number) = $0 { number } else { nil } },
        Prism(Hundred.c67) { if case .c67(let number) = $0 { number } else { nil } },
        Prism(Hundred.c68) { if case .c68(let number) = $0 { number } else { nil } },
        Prism(Hundred.c69) { if case .c69(let number) = $0 { number } else { nil } },
        Prism(Hundred.c70) { if case .c70(let number) = $0 { number } else { nil } },
        Prism(Hundred.c71) { if case .c71(let number) = $0 { number } else { nil } },
        Prism(Hundred.c72) { if case .c72(let number) = $0 { number } else { nil } },
        Prism(Hundred.c73) { if case .c73(let number) = $0 { number } else { nil } },
        Prism(Hundred.c74) { if case .c74(let number) = $0 { number } else { nil } },
        Prism(Hundred.c75) { if case .c75(let number) = $0 { number } else { nil } },
        Prism(Hundred.c76) { if case .c76(let number) = $0 { number } else { nil } },
        Prism(Hundred.c77) { if case .c77(let number) = $0 { number } else { nil } },
        Prism(Hundred.c78) { if case .c78(let number) = $0 { number } else { nil } },
        Prism(Hundred.c79) { if case .c79(let number) = $0 { number } else { nil } },
        Prism(Hundred.c80) { if case .c80(let number) = $0 { number } else { nil } },
        Prism(Hundred.c81) { if case .c81(let number) = $0 { number } else { nil } },
        Prism(Hundred.c82) { if case .c82(let number) = $0 { number } else { nil } },
        Prism(Hundred.c83) { if case .c83(let number) = $0 { number } else { nil } },
        Prism(Hundred.c84) { if case .c84(let number) = $0 { number } else { nil } },
        Prism(Hundred.c85) { if case .c85(let number) = $0 { number } else { nil } },
        Prism(Hundred.c86) { if case .c86(let number) = $0 { number } else { nil } },
        Prism(Hundred.c87) { if case .c87(let number) = $0 { number } else { nil } },
        Prism(Hundred.c88) { if case .c88(let number) = $0 { number } else { nil } },
        Prism(Hundred.c89) { if case .c89(let number) = $0 { number } else { nil } },
        Prism(Hundred.c90) { if case .c90(let number) = $0 { number } else { nil } },
        Prism(Hundred.c91) { if case .c91(let number) = $0 { number } else { nil } },
        Prism(Hundred.c92) { if case .c92(let number) = $0 { number } else { nil } },
        Prism(Hundred.c93) { if case .c93(let number) = $0 { number } else { nil } },
        Prism(Hundred.c94) { if case .c94(let number) = $0 { number } else { nil } },
        Prism(Hundred.c95) { if case .c95(let number) = $0 { number } else { nil } },
        Prism(Hundred.c96) { if case .c96(let number) = $0 { number } else { nil } },
        Prism(Hundred.c97) { if case .c97(let number) = $0 { number } else { nil } },
        Prism(Hundred.c98) { if case .c98(let number) = $0 { number } else { nil } },
        Prism(Hundred.c99) { if case .c99(let number) = $0 { number } else { nil } },
    ]

    static let constructors: [@Sendable (Int) -> Hundred] = [
        Hundred.c0,
        Hundred.c1,
        Hundred.c2,
        Hundred.c3,
        Hundred.c4,
        Hundred.c5,
        Hundred.c6,
        Hundred.c7,
        Hundred.c8,
        Hundred.c9,
        Hundred.c10,
        Hundred.c11,
        Hundred.c12,
        Hundred.c13,
        Hundred.c14,
        Hundred.c15,
        Hundred.c16,
        Hundred.c17,
        Hundred.c18,
        Hundred.c19,
        Hundred.c20,
        Hundred.c21,
        Hundred.c22,
        Hundred.c23,
        Hundred.c24,
        Hundred.c25,
        Hundred.c26,
        Hundred.c27,
        Hundred.c28,
        Hundred.c29,
        Hundred.c30,
        Hundred.c31,
        Hundred.c32,
        Hundred.c33,
        Hundred.c34,
        Hundred.c35,
        Hundred.c36,
        Hundred.c37,
        Hundred.c38,
        Hundred.c39,
        Hundred.c40,
        Hundred.c41,
        Hundred.c42,
        Hundred.c43,
        Hundred.c44,
        Hundred.c45,
        Hundred.c46,
        Hundred.c47,
        Hundred.c48,
        Hundred.c49,
        Hundred.c50,
        Hundred.c51,
        Hundred.c52,
        Hundred.c53,
        Hundred.c54,
        Hundred.c55,
        Hundred.c56,
        Hundred.c57,
        Hundred.c58,
        Hundred.c59,
        Hundred.c60,
        Hundred.c61,
        Hundred.c62,
        Hundred.c63,
        Hundred.c64,
        Hundred.c65,
        Hundred.c66,
        Hundred.c67,
        Hundred.c68,
        Hundred.c69,
        Hundred.c70,
        Hundred.c71,
        Hundred.c72,
        Hundred.c73,
        Hundred.c74,
        Hundred.c75,
        Hundred.c76,
        Hundred.c77,
        Hundred.c78,
        Hundred.c79,
        Hundred.c80,
        Hundred.c81,
        Hundred.c82,
        Hundred.c83,
        Hundred.c84,
        Hundred.c85,
        Hundred.c86,
        Hundred.c87,
        Hundred.c88,
        Hundred.c89,
        Hundred.c90,
        Hundred.c91,
        Hundred.c92,
        Hundred.c93,
        Hundred.c94,
        Hundred.c95,
        Hundred.c96,
        Hundred.c97,
        Hundred.c98,
        Hundred.c99,
    ]
}
