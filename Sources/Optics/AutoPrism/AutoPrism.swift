/// An enum whose cases can be turned into prisms by their names.
///
/// Conform an enum to this protocol, and pass a case to ``prism(for:)-((Part)->Self)`` or ``prism(for:)-(Self)``. There
/// is nothing to implement, and no macro is involved.
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
/// Generic enums and `indirect` cases are supported. Cases with the same payload type are distinguished. To determine
/// the case of a value, a prism calls functions that the compiler generates for the enum. It uses reflection metadata
/// only for the list of the cases.
///
/// Creating a prism takes longer than using it, so create it once and keep it, for example in a global constant. The
/// first prism of an enum reads the list of its cases, which later prisms reuse.
///
/// If a case cannot be determined safely, creating the prism traps with a message that states the reason. That happens
/// in these situations:
///
/// - The type is not an enum, is an enum imported from C, or was compiled without reflection metadata.
/// - The payload is a function or a metatype.
/// - The payload is a tuple or an optional, and contains a function or a metatype.
/// - No case has the payload type of the constructor passed to ``prism(for:)-((Part)->Self)``.
/// - The value passed to ``prism(for:)-(Self)`` has a payload.
/// - The program was compiled for arm64e. Apps are compiled for arm64 by default.
/// - The compiler stores the metadata of types in a form that this library does not know. The first prism of a process
///   checks this.
///
/// In these situations, use ``Prism/init(embed:extract:)``, which works for any type.
public protocol AutoPrism: SendableMetatype {}

extension AutoPrism {
    /// Returns the prism for a case with a payload.
    ///
    /// Pass the case itself, as in `ParentInput.screen`. If the case has several associated values, the part is a tuple
    /// of them.
    ///
    /// The prism calls `constructor` to embed a part. A function does not reveal which case it creates, so the prism
    /// determines the case from a value that `constructor` returns. It does so at the first of these operations:
    ///
    /// - A part is embedded. The prism uses the case of the created value.
    /// - A value whose payload has the type `Part` is read or updated. The prism passes the payload to `constructor`,
    ///   and uses the case of the returned value.
    ///
    /// If `Part` has a size of zero, the case is determined when the prism is created.
    ///
    /// If you pass a closure instead of a case, the closure must be pure, because the prism decides when to call it.
    /// The prism traps if the closure returns a case with another payload type, or if the prism detects that the
    /// closure changed the payload. To detect a change, the prism compares the payload with the payload of the returned
    /// value:
    ///
    /// - If the payload is `Equatable`, with `==`.
    /// - If it is an instance of a class that is not `Equatable`, by identity.
    /// - If it is a value of an enum that is not `Equatable`, by its case alone.
    /// - Otherwise, not at all.
    ///
    /// The prism checks only the value from which it determines the case. It therefore does not detect every closure
    /// that returns different cases, such as `{ $0 == 7 ? .b($0) : .c("") }`:
    ///
    /// - If the first part is 7, the prism is the one for `b`. When another part is embedded later, the prism returns a
    ///   value that it does not match, which breaks the laws of ``Prism``.
    /// - If the first part is another one, the prism traps, because `c` has another payload type.
    /// - If both cases have the payload type `Part`, the prism does not trap. The first part decides which case the
    ///   prism is for.
    ///
    /// Once the case has been determined, it does not change, and updates in place do not call the closure. For a
    /// closure that is not a case, use ``Prism/init(embed:extract:)`` instead.
    ///
    /// An update of an `indirect` case extracts the payload, changes it, and embeds it again. An update of any other
    /// case changes the payload in place.
    ///
    /// Creating the prism traps if the case cannot be determined; see ``AutoPrism``.
    ///
    /// - Parameter constructor: The case, as in `ParentInput.screen`.
    @inlinable
    public static func prism<Part>(for constructor: @escaping @Sendable (Part) -> Self) -> Prism<Self, Part> {
        Prism(CaseReader(constructor))
    }

    /// Returns the prism for a case without a payload.
    ///
    /// It matches the values of this case and no others. To recognize the case, the prism uses neither the `==`
    /// operator nor the `description` of the enum.
    ///
    /// Creating the prism traps if the case cannot be determined, or if `value` has a payload; see ``AutoPrism``.
    ///
    /// - Parameter value: The case, as in `ParentInput.done`.
    @inlinable
    public static func prism(for value: Self) -> Prism<Self, Void> {
        Prism(CaseReader(plain: value))
    }
}

extension Prism {
    /// Creates the prism for a case with a payload, of any enum.
    ///
    /// See `AutoPrism.prism(for:)`.
    @inlinable
    package init(case constructor: @escaping @Sendable (Part) -> Whole) {
        self.init(CaseReader(constructor))
    }

    /// Creates the prism for a case without a payload, of any enum.
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

/// Returns whether `value` is an enum case without an associated value.
///
/// Returns `false` for types that are not enums, and for enums whose cases cannot be determined; see ``AutoPrism``. An
/// associated value of type `Void` counts as none.
@usableFromInline
package func isPlainCase<Whole>(_ value: Whole) -> Bool {
    guard let layout = try? EnumLayout.of(Whole.self) else { return false }
    return layout.functions.tag(of: value) >= layout.payloadCount
}
