import VirtualTime

/// A function that a generator made: equal inputs have equal outputs, in every process.
///
/// It prints what it was asked and what it answered, `{3 → 7, 4 → 0, …}`, so that a counterexample can be read. A
/// function that answers everything alike, `{_ → 0}`, is the simplest.
public struct GeneratedFunction<Input, Output: Sendable>: Sendable, CustomStringConvertible {
    private let outputs: [Output]
    private let text: @Sendable (Input) -> String
    private let calls = Lock<[(input: String, output: Output)]>([])

    init(outputs: [Output], text: @escaping @Sendable (Input) -> String) {
        self.outputs = outputs
        self.text = text
    }

    /// The answer for `input`. May be called from any thread.
    public func callAsFunction(_ input: Input) -> Output {
        guard outputs.count > 1 else { return outputs[0] }
        let text = text(input)
        let output = outputs[Int(StableHash.of(text) % UInt64(outputs.count))]
        calls.withLock { calls in
            guard calls.count < 20, !calls.contains(where: { $0.input == text }) else { return }
            calls.append((text, output))
        }
        return output
    }

    /// What was asked and answered so far, the first twenty of it.
    public var description: String {
        guard outputs.count > 1 else { return "{_ → \(Printed.text(of: outputs[0]))}" }
        let known = calls.withLock { $0 }.map { "\($0.input) → \(Printed.text(of: $0.output))" }
        return "{" + (known + ["…"]).joined(separator: ", ") + "}"
    }
}

extension Gen where Value: Sendable {
    /// Functions with these values as their outputs.
    ///
    /// ```swift
    /// await forAll(Gen.int.array(), Gen.bool.function(of: Int.self)) { numbers, isIncluded in
    ///     #expect(numbers.filter { isIncluded($0) }.count <= numbers.count)
    /// }
    /// ```
    ///
    /// Inputs that print alike have one output: give `text` where an input's parts are not in its text.
    public func function<Input>(
        of input: Input.Type = Input.self, text: (@Sendable (Input) -> String)? = nil
    ) -> Gen<GeneratedFunction<Input, Value>> {
        let text = text ?? { Printed.text(of: $0) }
        return array(1...6).map { GeneratedFunction(outputs: $0, text: text) }
    }
}
