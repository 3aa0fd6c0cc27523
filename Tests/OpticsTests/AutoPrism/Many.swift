import Optics

/// An enum with as many cases as a large application has inputs. Equal payload types make cases hard to distinguish.
// swift-format-ignore: OneCasePerLine
enum Many: AutoPrism, Equatable {
    case c0(Int), c1(Int), c2(Int), c3(Int), c4(Int), c5(Int), c6(Int), c7(Int), c8(Int), c9(Int), c10(Int), c11(Int)
    case c12(Int), c13(Int), c14(Int), c15(Int), c16(Int), c17(Int), c18(Int), c19(Int), c20(Int), c21(Int), c22(Int)
    case c23(Int), c24(Int), c25(Int), c26(Int), c27(Int), c28(Int), c29(Int), c30(Int), c31(Int), c32(Int), c33(Int)
    case c34(Int), c35(Int), c36(Int), c37(Int), c38(Int), c39(Int), c40(Int), c41(Int), c42(Int), c43(Int), c44(Int)
    case c45(Int), c46(Int), c47(Int), c48(Int), c49(Int), c50(Int), c51(Int), c52(Int), c53(Int), c54(Int), c55(Int)
    case c56(Int), c57(Int), c58(Int), c59(Int), c60(Int), c61(Int), c62(Int), c63(Int), c64(Int), c65(Int), c66(Int)
    case c67(Int), c68(Int), c69(Int), c70(Int), c71(Int), c72(Int), c73(Int), c74(Int), c75(Int), c76(Int), c77(Int)
    case c78(Int), c79(Int), c80(Int), c81(Int), c82(Int), c83(Int), c84(Int), c85(Int), c86(Int), c87(Int), c88(Int)
    case c89(Int), c90(Int), c91(Int), c92(Int), c93(Int), c94(Int), c95(Int), c96(Int), c97(Int), c98(Int), c99(Int)
    case c100(Int), c101(Int), c102(Int), c103(Int), c104(Int), c105(Int), c106(Int), c107(Int), c108(Int), c109(Int)
    case c110(Int), c111(Int), c112(Int), c113(Int), c114(Int), c115(Int), c116(Int), c117(Int), c118(Int), c119(Int)
    case c120(Int), c121(Int), c122(Int), c123(Int), c124(Int), c125(Int), c126(Int), c127(Int), c128(Int), c129(Int)
    case c130(Int), c131(Int), c132(Int), c133(Int), c134(Int), c135(Int), c136(Int), c137(Int), c138(Int), c139(Int)
    case c140(Int), c141(Int), c142(Int), c143(Int), c144(Int), c145(Int), c146(Int), c147(Int), c148(Int), c149(Int)
    case c150(Int), c151(Int), c152(Int), c153(Int), c154(Int), c155(Int), c156(Int), c157(Int), c158(Int), c159(Int)
    case c160(Int), c161(Int), c162(Int), c163(Int), c164(Int), c165(Int), c166(Int), c167(Int), c168(Int), c169(Int)
    case c170(Int), c171(Int), c172(Int), c173(Int), c174(Int), c175(Int), c176(Int), c177(Int), c178(Int), c179(Int)
    case c180(Int), c181(Int), c182(Int), c183(Int), c184(Int), c185(Int), c186(Int), c187(Int), c188(Int), c189(Int)
    case c190(Int), c191(Int), c192(Int), c193(Int), c194(Int), c195(Int), c196(Int), c197(Int), c198(Int), c199(Int)
    case c200(Int), c201(Int), c202(Int), c203(Int), c204(Int), c205(Int), c206(Int), c207(Int), c208(Int), c209(Int)
    case c210(Int), c211(Int), c212(Int), c213(Int), c214(Int), c215(Int), c216(Int), c217(Int), c218(Int), c219(Int)
    case c220(Int), c221(Int), c222(Int), c223(Int), c224(Int), c225(Int), c226(Int), c227(Int), c228(Int), c229(Int)
    case c230(Int), c231(Int), c232(Int), c233(Int), c234(Int), c235(Int), c236(Int), c237(Int), c238(Int), c239(Int)
    case c240(Int), c241(Int), c242(Int), c243(Int), c244(Int), c245(Int), c246(Int), c247(Int), c248(Int), c249(Int)
    case c250(Int), c251(Int), c252(Int), c253(Int), c254(Int), c255(Int), c256(Int), c257(Int), c258(Int), c259(Int)
    case c260(Int), c261(Int), c262(Int), c263(Int), c264(Int), c265(Int), c266(Int), c267(Int), c268(Int), c269(Int)
    case c270(Int), c271(Int), c272(Int), c273(Int), c274(Int), c275(Int), c276(Int), c277(Int), c278(Int), c279(Int)
    case c280(Int), c281(Int), c282(Int), c283(Int), c284(Int), c285(Int), c286(Int), c287(Int), c288(Int), c289(Int)
    case c290(Int), c291(Int), c292(Int), c293(Int), c294(Int), c295(Int), c296(Int), c297(Int), c298(Int), c299(Int)
    case none

    static let constructors: [@Sendable (Int) -> Many] = [
        c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14,
        c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29,
        c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44,
        c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59,
        c60, c61, c62, c63, c64, c65, c66, c67, c68, c69, c70, c71, c72, c73, c74,
        c75, c76, c77, c78, c79, c80, c81, c82, c83, c84, c85, c86, c87, c88, c89,
        c90, c91, c92, c93, c94, c95, c96, c97, c98, c99, c100, c101, c102, c103, c104,
        c105, c106, c107, c108, c109, c110, c111, c112, c113, c114, c115, c116, c117, c118, c119,
        c120, c121, c122, c123, c124, c125, c126, c127, c128, c129, c130, c131, c132, c133, c134,
        c135, c136, c137, c138, c139, c140, c141, c142, c143, c144, c145, c146, c147, c148, c149,
        c150, c151, c152, c153, c154, c155, c156, c157, c158, c159, c160, c161, c162, c163, c164,
        c165, c166, c167, c168, c169, c170, c171, c172, c173, c174, c175, c176, c177, c178, c179,
        c180, c181, c182, c183, c184, c185, c186, c187, c188, c189, c190, c191, c192, c193, c194,
        c195, c196, c197, c198, c199, c200, c201, c202, c203, c204, c205, c206, c207, c208, c209,
        c210, c211, c212, c213, c214, c215, c216, c217, c218, c219, c220, c221, c222, c223, c224,
        c225, c226, c227, c228, c229, c230, c231, c232, c233, c234, c235, c236, c237, c238, c239,
        c240, c241, c242, c243, c244, c245, c246, c247, c248, c249, c250, c251, c252, c253, c254,
        c255, c256, c257, c258, c259, c260, c261, c262, c263, c264, c265, c266, c267, c268, c269,
        c270, c271, c272, c273, c274, c275, c276, c277, c278, c279, c280, c281, c282, c283, c284,
        c285, c286, c287, c288, c289, c290, c291, c292, c293, c294, c295, c296, c297, c298, c299,
    ]

    static let prisms = constructors.map { prism(for: $0) }
}
