import VirtualTime

/// A function that a generator made: equal inputs have equal outputs, in every process.
///
/// It prints what it was asked and what it answered, `{3 → 7, 4 → 0, …}`, so that a counterexample can be read. A
/// function that answers everything alike, `{_ → 0}`, is the simplest.
public struct GeneratedFunction<Input, Output: Sendable>: Sendable, CustomStringConvertible {
    private let outputs: [Output]
    private let text: (@Sendable (Input) -> String)?
    private let calls = Lock<[(key: String, input: String, output: Output)]>([])

    init(outputs: [Output], text: (@Sendable (Input) -> String)?) {
        self.outputs = outputs
        self.text = text
    }

    /// The answer for `input`. May be called from any thread.
    public func callAsFunction(_ input: Input) -> Output {
        guard outputs.count > 1 else { return outputs[0] }
        let key = text?(input) ?? Printed.key(of: input)
        let output = outputs[Int(StableHash.of(key) % UInt64(outputs.count))]
        let isNew = calls.withLock { calls in calls.count < 20 && !calls.contains { $0.key == key } }
        // Printed without the lock, as the input may be this function.
        if isNew { note(text == nil ? Printed.text(of: input) : key, key, output) }
        return output
    }

    private func note(_ input: String, _ key: String, _ output: Output) {
        calls.withLock { calls in
            guard calls.count < 20, !calls.contains(where: { $0.key == key }) else { return }
            calls.append((key, input, output))
        }
    }

    /// What was asked and answered so far, the first twenty of it.
    public var description: String {
        guard outputs.count > 1 else { return "{_ → \(Printed.text(of: outputs[0]))}" }
        let known = calls.withLock { $0 }.map { "\($0.input) → \(Printed.text(of: $0.output))" }
        return "{" + (known + ["…"]).joined(separator: ", ") + "}"
    }
}

/// What tells one function from another, whatever they were asked so far.
protocol GeneratedFunctionKey {
    var key: String { get }
}

extension GeneratedFunction: GeneratedFunctionKey {
    var key: String { "{\(Printed.key(of: outputs))}" }
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
    /// Inputs that print alike have one output. Give `text` where an input's parts are not in its text, and where equal
    /// inputs describe themselves differently; of numbers and texts, and of what is made of them, that is taken care
    /// of.
    public func function<Input>(
        of input: Input.Type = Input.self, text: (@Sendable (Input) -> String)? = nil
    ) -> Gen<GeneratedFunction<Input, Value>> {
        array(1...6).map { GeneratedFunction(outputs: $0, text: text) }
    }
}
