/// Why a prism cannot be made, or turned out not to be one, and what to do about it.
enum AutoPrismRefusal: Error {
    case notAnEnum
    case importedFromC
    case noReflectionMetadata
    case signedPointers
    case noCase(carrying: String, cases: [String])
    case functionOrMetatype(String)
    case notPlain(caseName: String)
    case notAConstructor(part: String, made: String)
    case payloadChanged(caseName: String, part: String)

    func stop(_ whole: Any.Type) -> Never {
        programmerError("\(whole).prism(for:): \(problem(whole))", toFix: remedy(whole))
    }

    private func problem(_ whole: Any.Type) -> String {
        switch self {
        case .notAnEnum:
            "\(whole) is not an enum, so it has no cases."
        case .importedFromC:
            "\(whole) is an enum imported from C, whose values do not tell at run time which case they are."
        case .noReflectionMetadata:
            "\(whole) was compiled without reflection metadata, so its cases are not known at run time."
        case .signedPointers:
            "On arm64e the functions of an enum cannot be called from outside."
        case .noCase(let part, let cases):
            cases.isEmpty
                ? "no case of \(whole) carries \(part): none of its cases has a payload."
                : "no case of \(whole) carries \(part). What they carry: \(cases.joined(separator: ", "))."
        case .functionOrMetatype(let part):
            "the payload \(part) is or holds a function or a metatype, which an enum stores in a way of its own."
        case .notPlain(let name):
            "a value of the case \(name), which has a payload, was passed as a case without one."
        case .notAConstructor(let part, let made):
            "the closure passed for \(part) is not a case: what it made of one is \(made)."
        case .payloadChanged(let name, let part):
            "the closure passed for \(name) is not the case itself: the \(part) in what it made is not the one it got."
        }
    }

    private func remedy(_ whole: Any.Type) -> String {
        switch self {
        case .notAnEnum:
            "pass the property to Lens(_:) as a key path, or write the prism as Prism(embed:extract:)."
        case .noReflectionMetadata:
            "compile its module without -disable-reflection-metadata, or write the prism as Prism(embed:extract:)."
        case .notPlain(let name):
            "pass the case itself, \(whole).prism(for: \(whole).\(name))."
        case .noCase, .notAConstructor, .payloadChanged:
            "pass a case by its name, as in \(whole).prism(for: \(whole).someCase), "
                + "or write the prism as Prism(embed:extract:)."
        case .importedFromC, .signedPointers, .functionOrMetatype:
            "write the prism as Prism(embed:extract:)."
        }
    }
}
