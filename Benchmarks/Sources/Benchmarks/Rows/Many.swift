// Printed by many-cases.sh.

import Optics

/// As many cases as there are screens in a large application.
enum Many: AutoPrism, Sendable {
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
    case c100(Int)
    case c101(Int)
    case c102(Int)
    case c103(Int)
    case c104(Int)
    case c105(Int)
    case c106(Int)
    case c107(Int)
    case c108(Int)
    case c109(Int)
    case c110(Int)
    case c111(Int)
    case c112(Int)
    case c113(Int)
    case c114(Int)
    case c115(Int)
    case c116(Int)
    case c117(Int)
    case c118(Int)
    case c119(Int)
    case c120(Int)
    case c121(Int)
    case c122(Int)
    case c123(Int)
    case c124(Int)
    case c125(Int)
    case c126(Int)
    case c127(Int)
}

extension Many {
    static let constructors: [@Sendable (Int) -> Many] = [
        Many.c0, Many.c1, Many.c2, Many.c3, Many.c4, Many.c5, Many.c6, Many.c7,
        Many.c8, Many.c9, Many.c10, Many.c11, Many.c12, Many.c13, Many.c14, Many.c15,
        Many.c16, Many.c17, Many.c18, Many.c19, Many.c20, Many.c21, Many.c22, Many.c23,
        Many.c24, Many.c25, Many.c26, Many.c27, Many.c28, Many.c29, Many.c30, Many.c31,
        Many.c32, Many.c33, Many.c34, Many.c35, Many.c36, Many.c37, Many.c38, Many.c39,
        Many.c40, Many.c41, Many.c42, Many.c43, Many.c44, Many.c45, Many.c46, Many.c47,
        Many.c48, Many.c49, Many.c50, Many.c51, Many.c52, Many.c53, Many.c54, Many.c55,
        Many.c56, Many.c57, Many.c58, Many.c59, Many.c60, Many.c61, Many.c62, Many.c63,
        Many.c64, Many.c65, Many.c66, Many.c67, Many.c68, Many.c69, Many.c70, Many.c71,
        Many.c72, Many.c73, Many.c74, Many.c75, Many.c76, Many.c77, Many.c78, Many.c79,
        Many.c80, Many.c81, Many.c82, Many.c83, Many.c84, Many.c85, Many.c86, Many.c87,
        Many.c88, Many.c89, Many.c90, Many.c91, Many.c92, Many.c93, Many.c94, Many.c95,
        Many.c96, Many.c97, Many.c98, Many.c99, Many.c100, Many.c101, Many.c102, Many.c103,
        Many.c104, Many.c105, Many.c106, Many.c107, Many.c108, Many.c109, Many.c110, Many.c111,
        Many.c112, Many.c113, Many.c114, Many.c115, Many.c116, Many.c117, Many.c118, Many.c119,
        Many.c120, Many.c121, Many.c122, Many.c123, Many.c124, Many.c125, Many.c126, Many.c127,
    ]

    static let casePrisms: [Prism<Many, Int>] = constructors.map { constructor in prism(for: constructor) }

    static let closurePrisms: [Prism<Many, Int>] = [
        Prism(Many.c0) { if case .c0(let number) = $0 { number } else { nil } },
        Prism(Many.c1) { if case .c1(let number) = $0 { number } else { nil } },
        Prism(Many.c2) { if case .c2(let number) = $0 { number } else { nil } },
        Prism(Many.c3) { if case .c3(let number) = $0 { number } else { nil } },
        Prism(Many.c4) { if case .c4(let number) = $0 { number } else { nil } },
        Prism(Many.c5) { if case .c5(let number) = $0 { number } else { nil } },
        Prism(Many.c6) { if case .c6(let number) = $0 { number } else { nil } },
        Prism(Many.c7) { if case .c7(let number) = $0 { number } else { nil } },
        Prism(Many.c8) { if case .c8(let number) = $0 { number } else { nil } },
        Prism(Many.c9) { if case .c9(let number) = $0 { number } else { nil } },
        Prism(Many.c10) { if case .c10(let number) = $0 { number } else { nil } },
        Prism(Many.c11) { if case .c11(let number) = $0 { number } else { nil } },
        Prism(Many.c12) { if case .c12(let number) = $0 { number } else { nil } },
        Prism(Many.c13) { if case .c13(let number) = $0 { number } else { nil } },
        Prism(Many.c14) { if case .c14(let number) = $0 { number } else { nil } },
        Prism(Many.c15) { if case .c15(let number) = $0 { number } else { nil } },
        Prism(Many.c16) { if case .c16(let number) = $0 { number } else { nil } },
        Prism(Many.c17) { if case .c17(let number) = $0 { number } else { nil } },
        Prism(Many.c18) { if case .c18(let number) = $0 { number } else { nil } },
        Prism(Many.c19) { if case .c19(let number) = $0 { number } else { nil } },
        Prism(Many.c20) { if case .c20(let number) = $0 { number } else { nil } },
        Prism(Many.c21) { if case .c21(let number) = $0 { number } else { nil } },
        Prism(Many.c22) { if case .c22(let number) = $0 { number } else { nil } },
        Prism(Many.c23) { if case .c23(let number) = $0 { number } else { nil } },
        Prism(Many.c24) { if case .c24(let number) = $0 { number } else { nil } },
        Prism(Many.c25) { if case .c25(let number) = $0 { number } else { nil } },
        Prism(Many.c26) { if case .c26(let number) = $0 { number } else { nil } },
        Prism(Many.c27) { if case .c27(let number) = $0 { number } else { nil } },
        Prism(Many.c28) { if case .c28(let number) = $0 { number } else { nil } },
        Prism(Many.c29) { if case .c29(let number) = $0 { number } else { nil } },
        Prism(Many.c30) { if case .c30(let number) = $0 { number } else { nil } },
        Prism(Many.c31) { if case .c31(let number) = $0 { number } else { nil } },
        Prism(Many.c32) { if case .c32(let number) = $0 { number } else { nil } },
        Prism(Many.c33) { if case .c33(let number) = $0 { number } else { nil } },
        Prism(Many.c34) { if case .c34(let number) = $0 { number } else { nil } },
        Prism(Many.c35) { if case .c35(let number) = $0 { number } else { nil } },
        Prism(Many.c36) { if case .c36(let number) = $0 { number } else { nil } },
        Prism(Many.c37) { if case .c37(let number) = $0 { number } else { nil } },
        Prism(Many.c38) { if case .c38(let number) = $0 { number } else { nil } },
        Prism(Many.c39) { if case .c39(let number) = $0 { number } else { nil } },
        Prism(Many.c40) { if case .c40(let number) = $0 { number } else { nil } },
        Prism(Many.c41) { if case .c41(let number) = $0 { number } else { nil } },
        Prism(Many.c42) { if case .c42(let number) = $0 { number } else { nil } },
        Prism(Many.c43) { if case .c43(let number) = $0 { number } else { nil } },
        Prism(Many.c44) { if case .c44(let number) = $0 { number } else { nil } },
        Prism(Many.c45) { if case .c45(let number) = $0 { number } else { nil } },
        Prism(Many.c46) { if case .c46(let number) = $0 { number } else { nil } },
        Prism(Many.c47) { if case .c47(let number) = $0 { number } else { nil } },
        Prism(Many.c48) { if case .c48(let number) = $0 { number } else { nil } },
        Prism(Many.c49) { if case .c49(let number) = $0 { number } else { nil } },
        Prism(Many.c50) { if case .c50(let number) = $0 { number } else { nil } },
        Prism(Many.c51) { if case .c51(let number) = $0 { number } else { nil } },
        Prism(Many.c52) { if case .c52(let number) = $0 { number } else { nil } },
        Prism(Many.c53) { if case .c53(let number) = $0 { number } else { nil } },
        Prism(Many.c54) { if case .c54(let number) = $0 { number } else { nil } },
        Prism(Many.c55) { if case .c55(let number) = $0 { number } else { nil } },
        Prism(Many.c56) { if case .c56(let number) = $0 { number } else { nil } },
        Prism(Many.c57) { if case .c57(let number) = $0 { number } else { nil } },
        Prism(Many.c58) { if case .c58(let number) = $0 { number } else { nil } },
        Prism(Many.c59) { if case .c59(let number) = $0 { number } else { nil } },
        Prism(Many.c60) { if case .c60(let number) = $0 { number } else { nil } },
        Prism(Many.c61) { if case .c61(let number) = $0 { number } else { nil } },
        Prism(Many.c62) { if case .c62(let number) = $0 { number } else { nil } },
        Prism(Many.c63) { if case .c63(let number) = $0 { number } else { nil } },
        Prism(Many.c64) { if case .c64(let number) = $0 { number } else { nil } },
        Prism(Many.c65) { if case .c65(let number) = $0 { number } else { nil } },
        Prism(Many.c66) { if case .c66(let number) = $0 { number } else { nil } },
        Prism(Many.c67) { if case .c67(let number) = $0 { number } else { nil } },
        Prism(Many.c68) { if case .c68(let number) = $0 { number } else { nil } },
        Prism(Many.c69) { if case .c69(let number) = $0 { number } else { nil } },
        Prism(Many.c70) { if case .c70(let number) = $0 { number } else { nil } },
        Prism(Many.c71) { if case .c71(let number) = $0 { number } else { nil } },
        Prism(Many.c72) { if case .c72(let number) = $0 { number } else { nil } },
        Prism(Many.c73) { if case .c73(let number) = $0 { number } else { nil } },
        Prism(Many.c74) { if case .c74(let number) = $0 { number } else { nil } },
        Prism(Many.c75) { if case .c75(let number) = $0 { number } else { nil } },
        Prism(Many.c76) { if case .c76(let number) = $0 { number } else { nil } },
        Prism(Many.c77) { if case .c77(let number) = $0 { number } else { nil } },
        Prism(Many.c78) { if case .c78(let number) = $0 { number } else { nil } },
        Prism(Many.c79) { if case .c79(let number) = $0 { number } else { nil } },
        Prism(Many.c80) { if case .c80(let number) = $0 { number } else { nil } },
        Prism(Many.c81) { if case .c81(let number) = $0 { number } else { nil } },
        Prism(Many.c82) { if case .c82(let number) = $0 { number } else { nil } },
        Prism(Many.c83) { if case .c83(let number) = $0 { number } else { nil } },
        Prism(Many.c84) { if case .c84(let number) = $0 { number } else { nil } },
        Prism(Many.c85) { if case .c85(let number) = $0 { number } else { nil } },
        Prism(Many.c86) { if case .c86(let number) = $0 { number } else { nil } },
        Prism(Many.c87) { if case .c87(let number) = $0 { number } else { nil } },
        Prism(Many.c88) { if case .c88(let number) = $0 { number } else { nil } },
        Prism(Many.c89) { if case .c89(let number) = $0 { number } else { nil } },
        Prism(Many.c90) { if case .c90(let number) = $0 { number } else { nil } },
        Prism(Many.c91) { if case .c91(let number) = $0 { number } else { nil } },
        Prism(Many.c92) { if case .c92(let number) = $0 { number } else { nil } },
        Prism(Many.c93) { if case .c93(let number) = $0 { number } else { nil } },
        Prism(Many.c94) { if case .c94(let number) = $0 { number } else { nil } },
        Prism(Many.c95) { if case .c95(let number) = $0 { number } else { nil } },
        Prism(Many.c96) { if case .c96(let number) = $0 { number } else { nil } },
        Prism(Many.c97) { if case .c97(let number) = $0 { number } else { nil } },
        Prism(Many.c98) { if case .c98(let number) = $0 { number } else { nil } },
        Prism(Many.c99) { if case .c99(let number) = $0 { number } else { nil } },
        Prism(Many.c100) { if case .c100(let number) = $0 { number } else { nil } },
        Prism(Many.c101) { if case .c101(let number) = $0 { number } else { nil } },
        Prism(Many.c102) { if case .c102(let number) = $0 { number } else { nil } },
        Prism(Many.c103) { if case .c103(let number) = $0 { number } else { nil } },
        Prism(Many.c104) { if case .c104(let number) = $0 { number } else { nil } },
        Prism(Many.c105) { if case .c105(let number) = $0 { number } else { nil } },
        Prism(Many.c106) { if case .c106(let number) = $0 { number } else { nil } },
        Prism(Many.c107) { if case .c107(let number) = $0 { number } else { nil } },
        Prism(Many.c108) { if case .c108(let number) = $0 { number } else { nil } },
        Prism(Many.c109) { if case .c109(let number) = $0 { number } else { nil } },
        Prism(Many.c110) { if case .c110(let number) = $0 { number } else { nil } },
        Prism(Many.c111) { if case .c111(let number) = $0 { number } else { nil } },
        Prism(Many.c112) { if case .c112(let number) = $0 { number } else { nil } },
        Prism(Many.c113) { if case .c113(let number) = $0 { number } else { nil } },
        Prism(Many.c114) { if case .c114(let number) = $0 { number } else { nil } },
        Prism(Many.c115) { if case .c115(let number) = $0 { number } else { nil } },
        Prism(Many.c116) { if case .c116(let number) = $0 { number } else { nil } },
        Prism(Many.c117) { if case .c117(let number) = $0 { number } else { nil } },
        Prism(Many.c118) { if case .c118(let number) = $0 { number } else { nil } },
        Prism(Many.c119) { if case .c119(let number) = $0 { number } else { nil } },
        Prism(Many.c120) { if case .c120(let number) = $0 { number } else { nil } },
        Prism(Many.c121) { if case .c121(let number) = $0 { number } else { nil } },
        Prism(Many.c122) { if case .c122(let number) = $0 { number } else { nil } },
        Prism(Many.c123) { if case .c123(let number) = $0 { number } else { nil } },
        Prism(Many.c124) { if case .c124(let number) = $0 { number } else { nil } },
        Prism(Many.c125) { if case .c125(let number) = $0 { number } else { nil } },
        Prism(Many.c126) { if case .c126(let number) = $0 { number } else { nil } },
        Prism(Many.c127) { if case .c127(let number) = $0 { number } else { nil } },
    ]
}
