extension EnvIO {
    /// Unavailable. The compiler shows the name of the function that this type has in place of the case of `Result`.
    @available(*, unavailable, renamed: "pure(_:)")
    public static func success(_ value: Value) -> EnvIO { fatalError() }

    /// Unavailable. The compiler shows the name of the function that this type has in place of the case of `Result`.
    @available(*, unavailable, renamed: "fail(_:)")
    public static func failure(_ failure: Failure) -> EnvIO { fatalError() }
}
