extension EnvIO {
    /// Unavailable. Use ``pure(_:)`` instead.
    @available(*, unavailable, renamed: "pure(_:)")
    public static func success(_ value: Value) -> EnvIO { fatalError() }

    /// Unavailable. Use ``fail(_:)`` instead.
    @available(*, unavailable, renamed: "fail(_:)")
    public static func failure(_ failure: Failure) -> EnvIO { fatalError() }
}
