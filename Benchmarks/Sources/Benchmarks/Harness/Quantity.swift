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

    /// A number of nanoseconds that does not depend on the machine.
    static func fixed(_ nanoseconds: Double) -> Quantity {
        Quantity(name: "fixed", subjects: []) { nanoseconds }
    }

    private init(name: String, subjects: [Subject], nanoseconds: @escaping () -> Double) {
        self.name = name
        self.subjects = subjects
        self.nanoseconds = nanoseconds
    }
}
