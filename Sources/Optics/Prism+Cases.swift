// The type of the other case is not a parameter of `Prism`, and an extension cannot add a type parameter. Therefore
// these are functions and not properties.

extension Prism {
    /// Returns a prism to the value of a result that is a success.
    ///
    /// ```swift
    /// let page = Lens(\Browser.lastLoad).appending(Prism.success())
    /// ```
    @inlinable
    public static func success<Failure>() -> Prism where Whole == Result<Part, Failure> {
        Prism(embed: { .success($0) }, extract: { if case .success(let value) = $0 { value } else { nil } })
    }

    /// Returns a prism to the error of a result that is a failure.
    ///
    /// ```swift
    /// let message = Prism<Result<Page, LoadError>, LoadError>.failure().message
    /// ```
    @inlinable
    public static func failure<Success>() -> Prism where Whole == Result<Success, Part>, Part: Error {
        Prism(embed: { .failure($0) }, extract: { if case .failure(let error) = $0 { error } else { nil } })
    }
}

extension Prism where Whole: Equatable & Sendable, Part == Void {
    /// Returns a prism that matches the wholes that equal `value`.
    ///
    /// The part is `Void`, because nothing but the match can be read. Embedding it returns `value`. The operation is
    /// Monocle's `only`.
    ///
    /// Values that `==` does not distinguish all match, and `embed` returns one of them. NaN never matches.
    ///
    /// ```swift
    /// let quit = Prism.only("q")
    /// quit.matches("q")  // true
    /// ```
    @inlinable
    public static func only(_ value: Whole) -> Prism {
        Prism(embed: { value }, extract: { $0 == value ? () : nil })
    }
}
