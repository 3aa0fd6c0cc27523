import FunctionalCore
import VirtualTime

/// A generated function. Equal inputs have equal outputs, in every process.
///
/// Create it with ``Gen/function(of:text:)``, and call it like a function. Its description shows the calls so far, as
/// in `{3 → 7, 4 → 0, …}`, so that a counterexample is readable. A constant function, such as `{_ → 0}`, is the
/// simplest.
///
/// It may be called from any thread.
public struct GeneratedFunction<Input, Output: Sendable>: Sendable, CustomStringConvertible {
    private let outputs: [Output]
    private let text: (@Sendable (Input) -> String)?
    private let calls = Locked<[(key: String, input: String, output: Output)]>([])

    init(outputs: [Output], text: (@Sendable (Input) -> String)?) {
        self.outputs = outputs
        self.text = text
    }

    /// Returns the output for `input`.
    ///
    /// May be called from any thread. Converts the input to text, unless the function is constant.
    public func callAsFunction(_ input: Input) -> Output {
        guard outputs.count > 1 else { return outputs[0] }
        let key = text?(input) ?? Printed.key(of: input)
        let output = outputs[Int(StableHash.of(key) % UInt64(outputs.count))]
        let isNew = calls.withLock { calls in calls.count < 20 && !calls.contains { $0.key == key } }
        // Printed without the lock, because the input may be this function.
        if isNew { note(text == nil ? Printed.text(of: input) : key, key, output) }
        return output
    }

    private func note(_ input: String, _ key: String, _ output: Output) {
        calls.withLock { calls in
            guard calls.count < 20, !calls.contains(where: { $0.key == key }) else { return }
            calls.append((key, input, output))
        }
    }

    /// The inputs and outputs of the first twenty calls with different inputs, or the output of a constant function.
    public var description: String {
        guard outputs.count > 1 else { return "{_ → \(Printed.text(of: outputs[0]))}" }
        let known = calls.withLock { $0 }.map { "\($0.input) → \(Printed.text(of: $0.output))" }
        return "{" + (known + ["…"]).joined(separator: ", ") + "}"
    }
}

/// The text that identifies a function does not depend on the calls so far.
extension GeneratedFunction: PrintedKey {
    package var key: String { "{\(Printed.key(of: outputs))}" }
}

extension Gen where Value: Sendable {
    /// Returns a generator of functions whose outputs are values of this generator.
    ///
    /// ```swift
    /// await forAll(Gen.int.array(), Gen.bool.function(of: Int.self)) { numbers, isIncluded in
    ///     #expect(numbers.filter { isIncluded($0) }.count <= numbers.count)
    /// }
    /// ```
    ///
    /// A generated function converts its input to text. Inputs with equal texts have equal outputs. By default, the
    /// text contains all stored properties of the input, or is its description if it has one. Equal numbers and strings
    /// have equal texts, also inside of other values.
    ///
    /// Pass `text` if the description of an input omits some of its parts, or if equal inputs have different
    /// descriptions.
    ///
    /// - Parameters:
    ///   - input: The type of the inputs.
    ///   - text: Returns the text of an input.
    public func function<Input>(
        of input: Input.Type = Input.self, text: (@Sendable (Input) -> String)? = nil
    ) -> Gen<GeneratedFunction<Input, Value>> {
        array(1...6).map { GeneratedFunction(outputs: $0, text: text) }
    }
}
