/// A generator: a description of how to make values from recorded choices.
///
/// ```swift
/// let account = Gen.zip(Gen.string, Gen.int(in: 0...1_000)).map { Account(name: $0, balance: $1) }
/// ```
///
/// What it makes shrinks by itself: the choices are made smaller, and the generator runs again. Nothing has to be
/// written for that, also not for a ``flatMap(_:)``. Spell the type, `Gen.int`, in a call of
/// `forAll`: with `.int` the type checker has to try very many ways.
public struct Gen<Value>: Sendable {
    @usableFromInline let draw: @Sendable (inout Source) throws(Discarded) -> Value

    /// A generator that makes its values from choices of `source`.
    @inlinable
    public init(_ draw: @escaping @Sendable (_ source: inout Source) throws(Discarded) -> Value) {
        self.draw = draw
    }

    /// One value, from choices of `source`.
    ///
    /// - Throws: ``Discarded``, when the choices lead to no value.
    @inlinable
    public func run(_ source: inout Source) throws(Discarded) -> Value {
        try draw(&source)
    }
}

// MARK: - Composing

extension Gen {
    /// What `transform` makes of the values.
    @inlinable
    public func map<NewValue>(_ transform: @escaping @Sendable (Value) -> NewValue) -> Gen<NewValue> {
        Gen<NewValue> { source throws(Discarded) in transform(try run(&source)) }
    }

    /// The values of the generator that `next` makes of each value.
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

    /// The values for which `isIncluded` holds.
    ///
    /// After fifty values without one the case is discarded. Where it holds seldom, make what is needed instead.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Gen {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// What `transform` makes of the values, where that is not `nil`; gives up as ``filter(_:)`` does.
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

    /// The values made at another size, which `change` makes of the one at hand.
    public func resized(_ change: @escaping @Sendable (Int) -> Int) -> Gen {
        Gen { source throws(Discarded) in
            let size = source.size
            source.size = min(max(change(size), 1), 100)
            defer { source.size = size }
            return try run(&source)
        }
    }

    /// The values of the generator that `make` makes of the size, from 1 to 100.
    public static func sized(_ make: @escaping @Sendable (Int) -> Gen) -> Gen {
        Gen { source throws(Discarded) in try make(source.size).run(&source) }
    }
}

extension Gen {
    /// One value of each generator, as a tuple; the first one's choices come first.
    ///
    /// ```swift
    /// Gen.zip(Gen.int, Gen.string, Gen.bool)
    /// ```
    @inlinable
    public static func zip<each Part>(_ generators: repeat Gen<each Part>) -> Gen where Value == (repeat each Part) {
        Gen(ZippedGenerators(generators: (repeat each generators)).draw)
    }
}

/// Generators of a tuple's parts.
///
/// A closure that captures a parameter pack crashes the 6.3 compiler; a type that carries one does not.
@usableFromInline struct ZippedGenerators<each Part>: Sendable {
    @usableFromInline let generators: (repeat Gen<each Part>)

    @inlinable init(generators: (repeat Gen<each Part>)) {
        self.generators = generators
    }

    @inlinable @Sendable func draw(_ source: inout Source) throws(Discarded) -> (repeat each Part) {
        (repeat try (each generators).run(&source))
    }
}
