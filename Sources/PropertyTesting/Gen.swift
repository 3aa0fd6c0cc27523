/// A generator of values.
///
/// A generator derives each value from a list of random numbers. These numbers are called choices, and are recorded;
/// see ``Source``.
///
/// ```swift
/// let account = Gen.zip(Gen.string, Gen.int(in: 0...1_000)).map { Account(name: $0, balance: $1) }
/// ```
///
/// Generated values shrink without further code. To find a smaller value that also fails, the shrinker makes the
/// choices smaller and runs the generator again. Values that ``flatMap(_:)`` generates shrink in the same way.
///
/// A generator is `Sendable`, and may run on any thread. Its values depend only on the choices, except if it uses
/// ``sized(_:)`` or reads the ``Source/size``. Its values may then also depend on the size.
///
/// In a call of `forAll`, write the type, as in `Gen.int`. With `.int`, type checking is slow.
public struct Gen<Value>: Sendable {
    @usableFromInline let draw: @Sendable (inout Source) throws(Discarded) -> Value

    /// Creates a generator from a function that derives a value from choices.
    ///
    /// ```swift
    /// let roll = Gen { source in Int(source.choose(upTo: 5)) + 1 }
    /// ```
    ///
    /// The function must be deterministic: equal choices must lead to equal values.
    ///
    /// - Parameter draw: Returns a value for the choices of a source, or throws ``Discarded``.
    @inlinable
    public init(_ draw: @escaping @Sendable (_ source: inout Source) throws(Discarded) -> Value) {
        self.draw = draw
    }

    /// Returns one value, derived from choices of `source`.
    ///
    /// - Throws: ``Discarded`` if the choices lead to no value.
    @inlinable
    public func run(_ source: inout Source) throws(Discarded) -> Value {
        try draw(&source)
    }
}

// MARK: - Composing

extension Gen {
    /// Returns a generator of the results of `transform`.
    @inlinable
    public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Gen<NewValue> {
        Gen<NewValue> { source throws(Discarded) in transform(try run(&source)) }
    }

    /// Returns a generator that passes a generated value to `next`, and then runs the generator that `next` returns.
    ///
    /// ```swift
    /// let pick = Gen.int.array(1...9).flatMap { numbers in
    ///     Gen.int(in: 0...numbers.count - 1).map { (numbers, $0) }
    /// }
    /// ```
    @inlinable
    public func flatMap<NewValue>(_ next: @escaping @Sendable (Value) -> Gen<NewValue>) -> Gen<NewValue> {
        Gen<NewValue> { source throws(Discarded) in try next(try run(&source)).run(&source) }
    }

    /// Returns a generator of the values for which `isIncluded` returns `true`.
    ///
    /// If fifty values in a row are excluded, the case is discarded. If few values are included, write a generator that
    /// generates only those.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Gen {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Returns a generator of the results of `transform` that are not `nil`.
    ///
    /// If `transform` returns `nil` for fifty values in a row, the case is discarded.
    @inlinable
    public func compactMap<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue?) -> Gen<NewValue> {
        Gen<NewValue> { source throws(Discarded) in
            for _ in 0..<50 {
                let start = source.count
                if let value = transform(try run(&source)) { return value }
                source.forget(downTo: start)
            }
            throw Discarded()
        }
    }

    /// Returns a generator that runs this generator at another size.
    ///
    /// - Parameter change: Returns the new size for the current one. Results outside of `1...100` are clamped.
    public func resized(_ change: @escaping @Sendable (Int) -> Int) -> Gen {
        Gen { source throws(Discarded) in
            let size = source.size
            source.size = min(max(change(size), 1), 100)
            defer { source.size = size }
            return try run(&source)
        }
    }

    /// Returns a generator that depends on the size of the case; see ``Source/size``.
    ///
    /// - Parameter make: Returns the generator for a size from 1 to 100.
    public static func sized(_ make: @escaping @Sendable (Int) -> Gen) -> Gen {
        Gen { source throws(Discarded) in try make(source.size).run(&source) }
    }
}

extension Gen {
    /// Returns a generator of tuples with one value of each generator.
    ///
    /// The generators run in order.
    ///
    /// ```swift
    /// Gen.zip(Gen.int, Gen.string, Gen.bool)
    /// ```
    @inlinable
    public static func zip<each Part>(_ generators: repeat Gen<each Part>) -> Gen where Value == (repeat each Part) {
        Gen(ZippedGenerators(generators: (repeat each generators)).draw)
    }
}

/// The generators of a tuple's elements.
///
/// This is a type because a closure that captures a parameter pack crashes the compiler of Swift 6.3.
@usableFromInline struct ZippedGenerators<each Part>: Sendable {
    @usableFromInline let generators: (repeat Gen<each Part>)

    @inlinable init(generators: (repeat Gen<each Part>)) {
        self.generators = generators
    }

    @inlinable @Sendable func draw(_ source: inout Source) throws(Discarded) -> (repeat each Part) {
        (repeat try (each generators).run(&source))
    }
}
