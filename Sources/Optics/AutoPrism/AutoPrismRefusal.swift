import FunctionalCore

/// The reason why a prism cannot be created or is not valid. `stop(_:)` traps with a message that names the reason and
/// a remedy.
enum AutoPrismRefusal: Error {
    case notAnEnum
    case importedFromC
    case noReflectionMetadata
    case signedPointers
    case unknownMetadata
    case noCase(carrying: String, cases: [String])
    case functionOrMetatype(String)
    case notPlain(caseName: String)
    case notAConstructor(part: String, made: String)
    case payloadChanged(caseName: String, part: String)

    func stop(_ whole: Any.Type) -> Never {
        programmerError("\(whole).prism(for:): \(problem(whole)) To fix, \(remedy(whole))")
    }

    private func problem(_ whole: Any.Type) -> String {
        switch self {
        case .notAnEnum:
            "\(whole) is not an enum, so it has no cases."
        case .importedFromC:
            "\(whole) is an enum imported from C, whose cases cannot be determined at run time."
        case .noReflectionMetadata:
            "\(whole) was compiled without reflection metadata, so its cases cannot be determined at run time."
        case .signedPointers:
            "arm64e signs the pointers to the functions of an enum, so its cases cannot be determined at run time."
        case .unknownMetadata:
            "the module Optics was compiled without reflection metadata, or by a compiler that stores the metadata of "
                + "types in another form than it knows, so no cases can be determined at run time."
        case .noCase(let part, let cases):
            cases.isEmpty
                ? "the payload is \(part), but no case of \(whole) has a payload."
                : "no case of \(whole) has the payload \(part). Its payloads: \(cases.joined(separator: ", "))."
        case .functionOrMetatype(let part):
            "the payload \(part) is or contains a function or a metatype, which enums store in a special form."
        case .notPlain(let name):
            "a value of the case \(name) was passed as a case without a payload, but this case has one."
        case .notAConstructor(let part, let made):
            "the closure for the payload \(part) returned the case \(made), which does not have this payload."
        case .payloadChanged(let name, let part):
            "the closure passed as the case \(name) returned a value with another \(part) than it received."
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
        case .importedFromC, .signedPointers, .unknownMetadata, .functionOrMetatype:
            "write the prism as Prism(embed:extract:)."
        }
    }
}
