/// How the time of one operation depends on the number of something.
struct Series: Sendable {
    /// The things that can be many.
    let name: String
    /// What one operation is.
    let operation: String
    let sizes: [Int]
    /// Why there are fewer sizes than usual.
    let note: String
    let make: @Sendable (Int) -> Subject

    init(
        _ name: String, per operation: String, sizes: [Int] = [1, 10, 100, 1_000, 10_000], note: String = "",
        make: @escaping @Sendable (Int) -> Subject
    ) {
        self.name = name
        self.operation = operation
        self.sizes = sizes
        self.note = note
        self.make = make
    }

    /// Measures all sizes in turn, so that a disturbance affects them alike.
    func measure() async -> Curve {
        let subjects = sizes.map(make)
        for subject in subjects { await subject.warmUp() }
        for _ in 0..<15 {
            for subject in subjects { _ = await subject.pass() }
        }
        return Curve(
            series: self,
            points: zip(sizes, subjects).map { Curve.Point(size: $0, nanoseconds: $1.nanoseconds) })
    }
}

/// A group of series, which is one panel of the chart.
struct Group: Sendable {
    let name: String
    let series: [Series]
}

/// A measured series.
struct Curve {
    enum Growth: String, CaseIterable {
        case flat, linear, worse
    }

    struct Point {
        let size: Int
        let nanoseconds: Double
    }

    static let rule = """
        While n grows a hundredfold, up to the largest n, the time of an operation grows at most threefold (flat), \
        at most 130-fold (linear), or more (worse).
        """

    let series: Series
    let points: [Point]

    var growth: Growth {
        guard let last = points.last, let before = points.last(where: { $0.size * 100 <= last.size }) else {
            return .flat
        }
        let factor = last.nanoseconds / before.nanoseconds
        return factor <= 3 ? .flat : factor <= 130 ? .linear : .worse
    }
}
