extension Gen {
    /// A generator of pairs of equal values, which are generated independently from the same choices.
    ///
    /// The two values share no storage that was created while they were generated.
    package var twins: Gen<(Value, Value)> {
        Gen<(Value, Value)> { source throws(Discarded) in
            let start = source.count
            let value = try run(&source)
            var again = Source(
                repeating: Array(source.choices[start...]), size: source.size, limit: source.count - start)
            return (value, try run(&again))
        }
    }
}
