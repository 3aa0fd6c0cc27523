/// The failure of what a test lets fail.
public struct Broken: Error, Equatable {
    public init() {}
}
