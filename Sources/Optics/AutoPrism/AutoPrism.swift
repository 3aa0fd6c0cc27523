/// An enum whose cases can be turned into prisms by their name.
///
/// ```swift
/// enum ParentInput {
///     case screen(ScreenInput)
///     case moved(x: Int, y: Int)
///     case done
/// }
///
/// extension ParentInput: AutoPrism {}
///
/// let screen = ParentInput.prism(for: ParentInput.screen)  // Prism<ParentInput, ScreenInput>
/// let moved = ParentInput.prism(for: ParentInput.moved)    // Prism<ParentInput, (Int, Int)>
/// let done = ParentInput.prism(for: ParentInput.done)      // Prism<ParentInput, Void>
/// ```
///
/// There is nothing to implement, no macro and no reflection at the time of use: a prism asks the enum's own functions
/// which case a value is of, in a few nanoseconds. Cases that carry the same type are told apart. Make a prism once and
/// keep it, for example in a global constant; making one costs about 200 ns, and the first one for an enum reads its
/// cases.
///
/// Where a case cannot be found safely the process stops when the prism is made, with a message that says why:
/// - a type that is not an enum, an enum imported from C, or one compiled without reflection metadata;
/// - a payload that is a function or a metatype, or a tuple or an optional that holds one;
/// - a payload that no case carries, or a value with a payload passed as a case without one;
/// - on arm64e, always.
///
/// In these cases write `Prism(embed:extract:)`, which works for everything.
public protocol AutoPrism: SendableMetatype {}

extension AutoPrism {
    /// The prism for a case with a payload.
    ///
    /// Pass the case itself. It is called to learn which case it is, at the first value that may be of it, so a closure
    /// in its place must be pure; if it turns out not to be a case (it makes something else, or alters the payload, as
    /// far as the payload can be compared) the process stops with a message. What depends on the value cannot be
    /// detected.
    ///
    /// Several values make a tuple. The prism is pure, runs on the caller's thread and may be used from any.
    ///
    /// - Parameter constructor: The case, as in `ParentInput.screen`.
    @inlinable
    public static func prism<Part>(for constructor: @escaping @Sendable (Part) -> Self) -> Prism<Self, Part> {
        Prism(CaseReader(constructor))
    }

    /// The prism for a case without payload.
    ///
    /// It matches the values of this case and no others, whatever `==` or a description says.
    ///
    /// - Parameter value: The case, as in `ParentInput.done`.
    @inlinable
    public static func prism(for value: Self) -> Prism<Self, Void> {
        Prism(CaseReader(plain: value))
    }
}

extension Prism {
    /// The prism for a case with a payload of any enum; see ``AutoPrism/prism(for:)``.
    @inlinable
    package init(case constructor: @escaping @Sendable (Part) -> Whole) {
        self.init(CaseReader(constructor))
    }

    /// The prism for a case without payload of any enum.
    @inlinable
    package init(plainCase value: Whole) where Part == Void {
        self.init(CaseReader(plain: value))
    }

    @inlinable
    init(_ reader: CaseReader<Whole, Part>) {
        self.init(
            embed: { reader.embed($0) },
            extract: { reader.extract($0) },
            modify: { whole, change in reader.modify(&whole, change) },
            reader: UnretainedReader(reader),
            routing: CaseRouting(reader)
        )
    }
}

/// Whether `value` is of a case without payload. Not so for what is no enum, or is none that is told apart by its case.
@usableFromInline
package func isPlainCase<Whole>(_ value: Whole) -> Bool {
    guard let layout = try? EnumLayoutCache.layout(of: Whole.self) else { return false }
    return withUnsafePointer(to: value) { layout.tag(at: $0) } >= layout.payloadCount
}
