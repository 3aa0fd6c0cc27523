import Foundation
import TestProcess
public import Testing

/// Returns the number of steps that the calling thread takes in `body`: the words of memory that it allocates, and how
/// often it retains or releases an object.
///
/// This measures work without a clock: it hardly varies, and it does not depend on what else the machine does. Copies
/// allocate memory, and without optimization, code that visits objects retains each of them. With optimization, it may
/// not. A test that counts steps has the trait `.countsSteps`.
public func steps(_ body: () -> Void) -> Int {
    let start = steps_of_thread()
    body()
    return steps_of_thread() - start
}

/// Returns the exponent with which a number of steps grows: about 0 if it is constant, 1 if it is linear, and 2 if it is
/// quadratic.
public func growth(from few: Int, to many: Int, _ steps: (Int) -> Int) -> Double {
    // The first call also takes the steps that are necessary once, for example to create metadata of types.
    _ = steps(few)
    return log(Double(steps(many)) / Double(steps(few))) / log(Double(many) / Double(few))
}

extension Trait where Self == ConditionTrait {
    /// A trait that skips a test where steps cannot be counted.
    public static var countsSteps: Self {
        .enabled(if: steps_can_be_counted(), "steps are counted only on Linux on x86-64, and not under a sanitizer")
    }
}
