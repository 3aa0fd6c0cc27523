/// A number of nanoseconds that is computed from subjects: the time of one, or the difference of two.
struct Quantity {
    let name: String
    let subjects: [Subject]
    let nanoseconds: () -> Double

    init(_ subject: Subject) {
        self.init(name: subject.name, subjects: [subject]) { subject.nanoseconds }
    }

    /// The cost of each of the `count` things by which `with` exceeds `without`. It is not positive where a disturbance
    /// is larger than the cost, and is then no result.
    static func each(of count: Int, in with: Subject, over without: Subject) -> Quantity {
        Quantity(name: with.name, subjects: [with, without]) {
            (with.nanoseconds - without.nanoseconds) / Double(count)
        }
    }

    /// The median of the ratios to a baseline, pass by pass, if tasks or threads take part.
    ///
    /// Which threads are awake changes their times twofold, for a while. So a pass is compared with the pass beside it.
    func medianRatio(to baseline: Quantity) -> Double? {
        guard subjects.count == 1, baseline.subjects.count == 1, !(subjects + baseline.subjects).allSatisfy(\.isSync)
        else { return nil }
        let ratios = zip(subjects[0].passes, baseline.subjects[0].passes).map { $0 / $1 }.sorted()
        return ratios.isEmpty ? nil : ratios[ratios.count / 2]
    }

    private init(name: String, subjects: [Subject], nanoseconds: @escaping () -> Double) {
        self.name = name
        self.subjects = subjects
        self.nanoseconds = nanoseconds
    }
}
