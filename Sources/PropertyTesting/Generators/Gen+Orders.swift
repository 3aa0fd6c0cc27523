import VirtualTime

extension Gen where Value == StepOrder {
    /// Returns a generator of orders of the steps of a concurrent program. First in, first out is the simplest.
    ///
    /// ```swift
    /// await forAll(Gen.order()) { order in
    ///     let time = VirtualScheduler(order: order)
    ///     …
    /// }
    /// ```
    ///
    /// An order has at most 100 choices other than 0, and fewer at smaller sizes. In a third of the orders, these
    /// choices follow one another. In the others, up to 6 or up to 30 zeros precede each of them, so that they also
    /// occur late in a program. Orders with fewer choices other than 0 are simpler.
    ///
    /// - Parameter racesTime: Whether the clock may be advanced to the next deadline while jobs are ready; see
    ///   `StepOrder.racesTime`.
    public static func order(racingTime racesTime: Bool = false) -> Gen {
        Gen { source throws(Discarded) in
            let longestPause = [0, 6, 30][Int(source.unrecorded(upTo: 2))]
            let pauseAndChoice = Gen<(Int, Int)> { source in
                let pause = source.choose(upTo: 99) { random, _ in random.next(upTo: UInt64(longestPause)) }
                return (Int(pause), Int(source.choose(upTo: 10)) + 1)
            }
            let choices = try pauseAndChoice.array(0...100).run(&source).flatMap { pause, choice in
                Array(repeating: 0, count: pause) + [choice]
            }
            return StepOrder(choices, racingTime: racesTime, log: StepLog(isComplete: false))
        }
    }
}
