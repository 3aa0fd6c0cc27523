// A stand-in for SwiftUI: what the library and its documentation use of it. See README.md in this folder.

// unverified: that SwiftUI exports these.
@_exported public import Combine

// unverified
@_exported public import Foundation

// unverified
@_exported public import Observation

// documentation/swiftui/binding
@frozen @propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    // documentation/swiftui/binding/init(get:set:)-7ufcp
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}

    // documentation/swiftui/binding/init(get:set:)-6g3d5
    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
    ) {}

    // documentation/swiftui/binding/wrappedvalue
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }

    // unverified
    public var projectedValue: Binding<Value> { self }

    // unverified
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        fatalError()
    }

    // documentation/swiftui/binding/constant(_:)
    public static func constant(_ value: Value) -> Binding<Value> { fatalError() }

    // documentation/swiftui/binding/animation(_:)
    public func animation(_ animation: Animation? = .default) -> Binding<Value> { self }

    // documentation/swiftui/binding/transaction(_:)
    public func transaction(_ transaction: Transaction) -> Binding<Value> { self }
}

// documentation/swiftui/binding/init(get:set:)-6g3d5 says: "A binding conforms to Sendable only if its wrapped value type also
// conforms to Sendable."
extension Binding: @unchecked Sendable where Value: Sendable {}

// unverified
public struct Animation: Sendable {
    // unverified
    public static let `default` = Animation()
}

// documentation/swiftui/transaction. That it is not Sendable is unverified, and the stricter of the two.
@frozen
public struct Transaction {
    // documentation/swiftui/transaction/init(animation:)
    public init(animation: Animation?) {}
}

// documentation/swiftui/withtransaction(_:_:)
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

// documentation/swiftui/withanimation(_:_:)
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

// documentation/swiftui/state. Xcode 27 and later have a macro of this name, documentation/swiftui/state(initialvalue:).
@frozen @propertyWrapper
public struct State<Value> {
    // documentation/swiftui/state/init(wrappedvalue:)
    public init(wrappedValue value: Value) {}

    // documentation/swiftui/state/wrappedvalue
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }

    // unverified
    public var projectedValue: Binding<Value> { fatalError() }
}

// unverified
extension State: @unchecked Sendable where Value: Sendable {}

// documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
    // unverified
    associatedtype Body: View

    // unverified
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

// unverified
extension Never: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

// unverified. Xcode 27 and later have ContentBuilder instead.
@resultBuilder
public struct ViewBuilder {
    // unverified
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    // documentation/swiftui/viewbuilder/buildblock(_:)-2bj1g
    public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
    where repeat each Content: View {
        fatalError()
    }

    // unverified
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    // documentation/swiftui/viewbuilder/buildeither(first:)
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        fatalError()
    }

    // documentation/swiftui/viewbuilder/buildeither(second:)
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        fatalError()
    }
}

// unverified
nonisolated public struct _ConditionalContent<TrueContent, FalseContent> {}

// unverified
extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

// unverified
nonisolated public struct TupleView<T>: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

// unverified
extension Optional: View where Wrapped: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

// unverified
nonisolated public struct Text: View {
    // unverified
    public init(_ content: some StringProtocol) {}

    // unverified
    @MainActor public var body: Never { fatalError() }
}

// documentation/swiftui/progressview
nonisolated public struct ProgressView: View {
    // unverified: in SwiftUI, the initializer of one specialization of a generic type.
    public init() {}

    // unverified
    @MainActor public var body: Never { fatalError() }
}

// unverified
nonisolated public struct Button<Label: View>: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

extension Button where Label == Text {
    // documentation/swiftui/button/init(_:action:)-lpm7
    @preconcurrency
    nonisolated public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}

// documentation/swiftui/textfield
nonisolated public struct TextField<Label: View>: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

extension TextField where Label == Text {
    // documentation/swiftui/textfield/init(_:text:)-2laoi
    nonisolated public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}

// unverified
nonisolated public struct Toggle<Label: View>: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

extension Toggle where Label == Text {
    // unverified: the overload for strings. documentation/swiftui/toggle/init(_:ison:) takes a localized resource.
    nonisolated public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
}

// unverified
nonisolated public enum HorizontalAlignment { case center }

// unverified
nonisolated public struct VStack<Content: View>: View {
    // documentation/swiftui/vstack/init(alignment:spacing:content:)
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {}

    // unverified
    @MainActor public var body: Never { fatalError() }
}

// documentation/swiftui/foreach
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

// unverified
extension ForEach: View where Content: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    // documentation/swiftui/foreach/init(_:content:)
    nonisolated public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

extension ForEach where Content: View {
    // documentation/swiftui/foreach/init(_:id:content:)-82kbc
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}

extension View {
    // documentation/swiftui/view/onappear(perform:)
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    // documentation/swiftui/view/ondisappear(perform:)
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
}

// unverified
@MainActor @preconcurrency
public protocol _PreviewProvider {}

// documentation/swiftui/previewprovider
@MainActor @preconcurrency
public protocol PreviewProvider: _PreviewProvider {
    // documentation/swiftui/previewprovider/previews-swift.associatedtype
    associatedtype Previews: View

    // documentation/swiftui/previewprovider/previews-swift.type.property
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

// documentation/swiftui/list
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View {
    // unverified
    @MainActor public var body: Never { fatalError() }
}

extension List where SelectionValue == Never {
    // documentation/swiftui/list/init(content:)
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}
