import Optics

/// An enum with as many cases as a large application has inputs. Equal payload types make cases hard to distinguish.
enum Many: AutoPrism, Equatable {
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
    case c128(Int)
    case c129(Int)
    case c130(Int)
    case c131(Int)
    case c132(Int)
    case c133(Int)
    case c134(Int)
    case c135(Int)
    case c136(Int)
    case c137(Int)
    case c138(Int)
    case c139(Int)
    case c140(Int)
    case c141(Int)
    case c142(Int)
    case c143(Int)
    case c144(Int)
    case c145(Int)
    case c146(Int)
    case c147(Int)
    case c148(Int)
    case c149(Int)
    case c150(Int)
    case c151(Int)
    case c152(Int)
    case c153(Int)
    case c154(Int)
    case c155(Int)
    case c156(Int)
    case c157(Int)
    case c158(Int)
    case c159(Int)
    case c160(Int)
    case c161(Int)
    case c162(Int)
    case c163(Int)
    case c164(Int)
    case c165(Int)
    case c166(Int)
    case c167(Int)
    case c168(Int)
    case c169(Int)
    case c170(Int)
    case c171(Int)
    case c172(Int)
    case c173(Int)
    case c174(Int)
    case c175(Int)
    case c176(Int)
    case c177(Int)
    case c178(Int)
    case c179(Int)
    case c180(Int)
    case c181(Int)
    case c182(Int)
    case c183(Int)
    case c184(Int)
    case c185(Int)
    case c186(Int)
    case c187(Int)
    case c188(Int)
    case c189(Int)
    case c190(Int)
    case c191(Int)
    case c192(Int)
    case c193(Int)
    case c194(Int)
    case c195(Int)
    case c196(Int)
    case c197(Int)
    case c198(Int)
    case c199(Int)
    case c200(Int)
    case c201(Int)
    case c202(Int)
    case c203(Int)
    case c204(Int)
    case c205(Int)
    case c206(Int)
    case c207(Int)
    case c208(Int)
    case c209(Int)
    case c210(Int)
    case c211(Int)
    case c212(Int)
    case c213(Int)
    case c214(Int)
    case c215(Int)
    case c216(Int)
    case c217(Int)
    case c218(Int)
    case c219(Int)
    case c220(Int)
    case c221(Int)
    case c222(Int)
    case c223(Int)
    case c224(Int)
    case c225(Int)
    case c226(Int)
    case c227(Int)
    case c228(Int)
    case c229(Int)
    case c230(Int)
    case c231(Int)
    case c232(Int)
    case c233(Int)
    case c234(Int)
    case c235(Int)
    case c236(Int)
    case c237(Int)
    case c238(Int)
    case c239(Int)
    case c240(Int)
    case c241(Int)
    case c242(Int)
    case c243(Int)
    case c244(Int)
    case c245(Int)
    case c246(Int)
    case c247(Int)
    case c248(Int)
    case c249(Int)
    case c250(Int)
    case c251(Int)
    case c252(Int)
    case c253(Int)
    case c254(Int)
    case c255(Int)
    case c256(Int)
    case c257(Int)
    case c258(Int)
    case c259(Int)
    case c260(Int)
    case c261(Int)
    case c262(Int)
    case c263(Int)
    case c264(Int)
    case c265(Int)
    case c266(Int)
    case c267(Int)
    case c268(Int)
    case c269(Int)
    case c270(Int)
    case c271(Int)
    case c272(Int)
    case c273(Int)
    case c274(Int)
    case c275(Int)
    case c276(Int)
    case c277(Int)
    case c278(Int)
    case c279(Int)
    case c280(Int)
    case c281(Int)
    case c282(Int)
    case c283(Int)
    case c284(Int)
    case c285(Int)
    case c286(Int)
    case c287(Int)
    case c288(Int)
    case c289(Int)
    case c290(Int)
    case c291(Int)
    case c292(Int)
    case c293(Int)
    case c294(Int)
    case c295(Int)
    case c296(Int)
    case c297(Int)
    case c298(Int)
    case c299(Int)
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

    static let prisms: [Prism<Many, Int>] = [
        prism(for: c0), prism(for: c1), prism(for: c2), prism(for: c3), prism(for: c4),
        prism(for: c5), prism(for: c6), prism(for: c7), prism(for: c8), prism(for: c9),
        prism(for: c10), prism(for: c11), prism(for: c12), prism(for: c13), prism(for: c14),
        prism(for: c15), prism(for: c16), prism(for: c17), prism(for: c18), prism(for: c19),
        prism(for: c20), prism(for: c21), prism(for: c22), prism(for: c23), prism(for: c24),
        prism(for: c25), prism(for: c26), prism(for: c27), prism(for: c28), prism(for: c29),
        prism(for: c30), prism(for: c31), prism(for: c32), prism(for: c33), prism(for: c34),
        prism(for: c35), prism(for: c36), prism(for: c37), prism(for: c38), prism(for: c39),
        prism(for: c40), prism(for: c41), prism(for: c42), prism(for: c43), prism(for: c44),
        prism(for: c45), prism(for: c46), prism(for: c47), prism(for: c48), prism(for: c49),
        prism(for: c50), prism(for: c51), prism(for: c52), prism(for: c53), prism(for: c54),
        prism(for: c55), prism(for: c56), prism(for: c57), prism(for: c58), prism(for: c59),
        prism(for: c60), prism(for: c61), prism(for: c62), prism(for: c63), prism(for: c64),
        prism(for: c65), prism(for: c66), prism(for: c67), prism(for: c68), prism(for: c69),
        prism(for: c70), prism(for: c71), prism(for: c72), prism(for: c73), prism(for: c74),
        prism(for: c75), prism(for: c76), prism(for: c77), prism(for: c78), prism(for: c79),
        prism(for: c80), prism(for: c81), prism(for: c82), prism(for: c83), prism(for: c84),
        prism(for: c85), prism(for: c86), prism(for: c87), prism(for: c88), prism(for: c89),
        prism(for: c90), prism(for: c91), prism(for: c92), prism(for: c93), prism(for: c94),
        prism(for: c95), prism(for: c96), prism(for: c97), prism(for: c98), prism(for: c99),
        prism(for: c100), prism(for: c101), prism(for: c102), prism(for: c103), prism(for: c104),
        prism(for: c105), prism(for: c106), prism(for: c107), prism(for: c108), prism(for: c109),
        prism(for: c110), prism(for: c111), prism(for: c112), prism(for: c113), prism(for: c114),
        prism(for: c115), prism(for: c116), prism(for: c117), prism(for: c118), prism(for: c119),
        prism(for: c120), prism(for: c121), prism(for: c122), prism(for: c123), prism(for: c124),
        prism(for: c125), prism(for: c126), prism(for: c127), prism(for: c128), prism(for: c129),
        prism(for: c130), prism(for: c131), prism(for: c132), prism(for: c133), prism(for: c134),
        prism(for: c135), prism(for: c136), prism(for: c137), prism(for: c138), prism(for: c139),
        prism(for: c140), prism(for: c141), prism(for: c142), prism(for: c143), prism(for: c144),
        prism(for: c145), prism(for: c146), prism(for: c147), prism(for: c148), prism(for: c149),
        prism(for: c150), prism(for: c151), prism(for: c152), prism(for: c153), prism(for: c154),
        prism(for: c155), prism(for: c156), prism(for: c157), prism(for: c158), prism(for: c159),
        prism(for: c160), prism(for: c161), prism(for: c162), prism(for: c163), prism(for: c164),
        prism(for: c165), prism(for: c166), prism(for: c167), prism(for: c168), prism(for: c169),
        prism(for: c170), prism(for: c171), prism(for: c172), prism(for: c173), prism(for: c174),
        prism(for: c175), prism(for: c176), prism(for: c177), prism(for: c178), prism(for: c179),
        prism(for: c180), prism(for: c181), prism(for: c182), prism(for: c183), prism(for: c184),
        prism(for: c185), prism(for: c186), prism(for: c187), prism(for: c188), prism(for: c189),
        prism(for: c190), prism(for: c191), prism(for: c192), prism(for: c193), prism(for: c194),
        prism(for: c195), prism(for: c196), prism(for: c197), prism(for: c198), prism(for: c199),
        prism(for: c200), prism(for: c201), prism(for: c202), prism(for: c203), prism(for: c204),
        prism(for: c205), prism(for: c206), prism(for: c207), prism(for: c208), prism(for: c209),
        prism(for: c210), prism(for: c211), prism(for: c212), prism(for: c213), prism(for: c214),
        prism(for: c215), prism(for: c216), prism(for: c217), prism(for: c218), prism(for: c219),
        prism(for: c220), prism(for: c221), prism(for: c222), prism(for: c223), prism(for: c224),
        prism(for: c225), prism(for: c226), prism(for: c227), prism(for: c228), prism(for: c229),
        prism(for: c230), prism(for: c231), prism(for: c232), prism(for: c233), prism(for: c234),
        prism(for: c235), prism(for: c236), prism(for: c237), prism(for: c238), prism(for: c239),
        prism(for: c240), prism(for: c241), prism(for: c242), prism(for: c243), prism(for: c244),
        prism(for: c245), prism(for: c246), prism(for: c247), prism(for: c248), prism(for: c249),
        prism(for: c250), prism(for: c251), prism(for: c252), prism(for: c253), prism(for: c254),
        prism(for: c255), prism(for: c256), prism(for: c257), prism(for: c258), prism(for: c259),
        prism(for: c260), prism(for: c261), prism(for: c262), prism(for: c263), prism(for: c264),
        prism(for: c265), prism(for: c266), prism(for: c267), prism(for: c268), prism(for: c269),
        prism(for: c270), prism(for: c271), prism(for: c272), prism(for: c273), prism(for: c274),
        prism(for: c275), prism(for: c276), prism(for: c277), prism(for: c278), prism(for: c279),
        prism(for: c280), prism(for: c281), prism(for: c282), prism(for: c283), prism(for: c284),
        prism(for: c285), prism(for: c286), prism(for: c287), prism(for: c288), prism(for: c289),
        prism(for: c290), prism(for: c291), prism(for: c292), prism(for: c293), prism(for: c294),
        prism(for: c295), prism(for: c296), prism(for: c297), prism(for: c298), prism(for: c299),
    ]
}
