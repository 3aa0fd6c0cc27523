public import FunctionalCore

extension State {
    /// Returns a program that runs this program on the part of a larger state, in place.
    ///
    /// ```swift
    /// let tick = State<Int, Void>.modify { $0 + 1 }
    /// tick.focus(Lens(\Clock.seconds)).exec(Clock(seconds: 1))  // Clock(seconds: 2)
    /// ```
    ///
    /// `focus` preserves the structure of programs. Focusing a program created with `pure` yields a `pure` program.
    /// Focusing a program composed with `flatMap` equals focusing each of its steps and then composing them. Focusing
    /// twice equals focusing once through the composed optic.
    ///
    /// The program runs in a closure that the optic calls, so nested focuses use the thread's stack. Each optic of a
    /// composition uses about 3 KB of the stack in a debug build, and about 600 bytes in a release build. Do not
    /// compose hundreds of optics or nest hundreds of focuses; see [Limits](/documentation/functionalcore/limits).
    @_alwaysEmitIntoClient
    public func focus<Whole>(_ lens: some LensProtocol<Whole, S>) -> State<Whole, Value> {
        let lens = lens.asLens
        return nested { (whole: inout Whole) in lens.modify(&whole) { part in run(&part) } }
    }

    /// Returns a program that runs this program on the part of a larger state, in place, if the part is present.
    ///
    /// If the part is absent, the program does nothing and returns `nil`. Otherwise it behaves as the `focus` of a
    /// lens.
    @_alwaysEmitIntoClient
    public func focus<Whole>(_ affine: some AffineProtocol<Whole, S>) -> State<Whole, Value?> {
        let affine = affine.asAffine
        return nested { (whole: inout Whole) in affine.modify(&whole) { part in run(&part) } }
    }
}

extension AffineProtocol {
    /// A function that turns a program for the part into a program for the whole.
    ///
    /// If the part is absent, the program for the whole does nothing. The function captures the update closure of the
    /// optic, and not the whole optic.
    @inlinable
    package var focusing: @Sendable (State<Part, Void>) -> State<Whole, Void> {
        let update = asAffine.update
        return { change in change.nested { (whole: inout Whole) in update(&whole) { part in change.run(&part) } } }
    }
}
