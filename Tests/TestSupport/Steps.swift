import Foundation
import TestProcess
public import Testing

/// Returns the number of steps that the calling thread takes in `body`: the words of memory that it allocates, and how
/// often it retains or releases an object.
///
/// This measures work without a clock, so it does not depend on what else the machine does. Copies allocate memory, and
/// without optimization, code that visits objects retains each of them. With optimization, it may not. A test that counts
/// steps has the trait `.countsSteps`.
public func steps(_ body: () -> Void) -> Int {
    let start = steps_of_thread()
    body()
    return steps_of_thread() - start
}

/// Returns the exponent with which a number of steps grows: about 0 if it is constant, 1 if it is linear, and 2 if it is
/// quadratic.
public func growth(from few: Int, to many: Int, _ steps: (Int) -> Int) -> Double {
    let (first, last) = (least { steps(few) }, least { steps(many) })
    return log(Double(last) / Double(first)) / log(Double(many) / Double(few))
}

/// Returns the least number of steps that a few calls take.
///
/// The Swift runtime has tables, for example of the types that are used. The thread that adds an entry, or enlarges a
/// table, takes more steps in that call.
public func least(_ steps: () -> Int) -> Int {
    (0..<3).map { _ in steps() }.min() ?? 0
}

extension Trait where Self == ConditionTrait {
    /// A trait that skips a test where steps cannot be counted.
    public static var countsSteps: Self {
        .enabled(if: steps_can_be_counted(), "steps are counted only on Linux on x86-64, and not under a sanitizer")
    }
}
