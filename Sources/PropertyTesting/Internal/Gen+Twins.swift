extension Gen {
    /// Each value twice, made independently of the same choices: what one of them shares with others, its twin does
    /// not.
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
